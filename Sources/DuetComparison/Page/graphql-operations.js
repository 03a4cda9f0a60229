import { parse } from '../explorer/parser.js';
import { operations, walk } from '../explorer/syntax-tree.js';
import { shapeOf } from './response-shape.js';

/**
 * The parts of a request for one operation.
 *
 * @typedef {{
 *   query: string, variables: string, isMutation: boolean, isQuery: boolean, takesCursor: boolean, shape: Shape|null,
 * }} Operation `variables` is JSON, or empty. `takesCursor` is true for a list that starts after the cursor `$after`.
 *   `shape` is the shape of the response. For an invalid document, it is null, and both `isMutation` and `isQuery` are
 *   false
 */

/**
 * Returns the operations of a document as separate documents, which a client sends one after the other. Each document
 * contains the fragments that its operation uses. If there are several operations, `variables` has a member for each
 * operation, whose name is the name of the operation and whose value contains the variables.
 *
 * @returns {Operation[]} an invalid document is returned as one operation, because the server validates it
 */
export function operationsToSend(query, variables) {
  const document = parsed(query);
  const found = document ? operations(document) : [];
  if (found.length < 2) return [operation(query, variables, found[0], document)];
  const values = variables.trim() === '' ? {} : JSON.parse(variables);
  return found.map((node) => {
    const own = values[node.name?.text];
    const parts = [node, ...fragmentsOf(node, document)];
    return operation(parts.map(({ start, end }) => query.slice(start, end)).join('\n'), own ? JSON.stringify(own) : '', node, document);
  });
}

/** Returns true if a document can be parsed and contains only queries. */
export function hasOnlyQueries(query) {
  const document = parsed(query);
  const found = document ? operations(document) : [];
  return found.length > 0 && found.every(({ operation: type }) => type === 'query');
}

/** Returns the operation for the rows after a cursor. */
export function continued(sent, cursor) {
  const variables = sent.variables.trim() === '' ? {} : JSON.parse(sent.variables);
  return { ...sent, variables: JSON.stringify({ ...variables, after: cursor }) };
}

/** Returns the fragments that an operation or a field spreads, directly or through other fragments. */
export function fragmentsOf(operation, document) {
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

function operation(query, variables, node, document) {
  return {
    query, variables, isMutation: node?.operation === 'mutation', isQuery: node?.operation === 'query',
    takesCursor: node?.variables.some(({ name }) => name.text === 'after') === true,
    shape: node ? shapeOf(node, document) : null,
  };
}

function parsed(query) {
  try {
    return parse(query);
  } catch {
    return null;
  }
}
