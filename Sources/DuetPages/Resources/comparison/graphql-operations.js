import { parse } from '../explorer/parser.js';
import { operations, walk } from '../explorer/syntax-tree.js';

/**
 * What a client sends for one operation.
 *
 * @typedef {{query: string, variables: string, isMutation: boolean, takesCursor: boolean}} Operation `variables` is JSON, or empty;
 *   with `takesCursor` it is a list that begins behind `$after`
 */

/**
 * The operations of a document, as a client would send them one after the other: each alone, with the fragments that it uses. Of
 * several operations each has its own variables, as a member of the variables that has its name.
 *
 * @returns {Operation[]} a document that cannot be read is one operation: the server has the last word
 */
export function operationsToSend(query, variables) {
  const document = parsed(query);
  const found = document ? operations(document) : [];
  if (found.length < 2) return [operation(query, variables, found[0])];
  const values = variables.trim() === '' ? {} : JSON.parse(variables);
  return found.map((node) => {
    const own = values[node.name?.text];
    const parts = [node, ...fragmentsOf(node, document)];
    return operation(parts.map(({ start, end }) => query.slice(start, end)).join('\n'), own ? JSON.stringify(own) : '', node);
  });
}

/** The same operation from a cursor on. */
export function continued(sent, cursor) {
  const variables = sent.variables.trim() === '' ? {} : JSON.parse(sent.variables);
  return { ...sent, variables: JSON.stringify({ ...variables, after: cursor }) };
}

/** The fragments that an operation spreads, also by way of others. */
function fragmentsOf(operation, document) {
  const used = new Set();
  const visit = (node) => walk(node, ({ kind, name }) => {
    const fragment = kind === 'spread' && document.definitions.find((one) => one.kind === 'fragment' && one.name.text === name.text);
    if (!fragment || used.has(fragment)) return;
    used.add(fragment);
    visit(fragment);
  });
  visit(operation);
  return used;
}

function operation(query, variables, node) {
  return {
    query, variables, isMutation: node?.operation === 'mutation',
    takesCursor: node?.variables.some(({ name }) => name.text === 'after') === true,
  };
}

function parsed(query) {
  try {
    return parse(query);
  } catch {
    return null;
  }
}
