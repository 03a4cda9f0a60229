import { parse } from '../explorer/parser.js';
import { operations, walk } from '../explorer/syntax-tree.js';
import { fragmentsOf, operationsToSend } from './graphql-operations.js';

/**
 * Returns the subscriptions that watch the queries of a document. A subscription has one root field, so a query with
 * several root fields becomes several subscriptions.
 *
 * @returns {{name: string, query: string, variables: string}[]} `name` is the response key of the root field
 * @throws {Error} with a message for users if an operation cannot be watched
 */
export function subscriptionsOf(query, variables) {
  return operationsToSend(query, variables).flatMap(subscriptions);
}

function subscriptions({ query, variables }) {
  const document = parse(query);
  const [operation] = operations(document);
  if (!operation || operation.operation === 'mutation') throw new Error('only queries can be watched');
  const { selections } = operation;
  if (operation.operation === 'subscription') return [{ name: responseKey(selections[0]), query, variables }];
  if (selections.some(({ kind, name }) => kind !== 'field' || name.text.startsWith('__'))) {
    throw new Error('a query with a fragment or a field of introspection at its root cannot be watched');
  }
  return selections.map((field) => ({ name: responseKey(field), query: subscription(field, operation, document, query), variables }));
}

/** Returns the document of a subscription to a root field of a query, with the variables and fragments that it uses. */
function subscription(field, { name, variables }, document, text) {
  const textOf = ({ start, end }) => text.slice(start, end);
  const fragments = [...fragmentsOf(field, document)];
  const used = new Set();
  walk([field, ...fragments], (node) => { if (node.kind === 'variable') used.add(node.name.text); });
  const definitions = variables.filter((variable) => used.has(variable.name.text)).map(textOf);
  const head = ['subscription', name?.text, definitions.length > 0 ? `(${definitions.join(', ')})` : null].filter(Boolean).join(' ');
  return [`${head} { ${textOf(field)} }`, ...fragments.map(textOf)].join('\n');
}

const responseKey = (field) => (field.alias ?? field.name)?.text ?? '';
