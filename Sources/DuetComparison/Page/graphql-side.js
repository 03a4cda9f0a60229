import { ACCEPT, ENDPOINT, httpRequest } from '../explorer/request.js';
import { continued, operationsToSend } from './graphql-operations.js';
import { flatGroup, isAggregate } from './groups.js';
import { Sources } from './marks.js';
import { nextCursor } from './next-page.js';
import { isConnection, joined, memberNamed } from './response-shape.js';
import { measured, sent as sentRequest } from './exchange.js';

/** The error code for an unknown hash. */
const NOT_FOUND = 'PERSISTED_QUERY_NOT_FOUND';

/**
 * Returns the requests for an operation.
 *
 * @param {Operation} operation
 * @param {string} sent `post` or `hash`
 * @returns {Promise<Object[]>} one request for POST. For a hash, the first request has only the hash, and the second
 *   request also has the document
 */
async function requestsFor({ query, variables, isMutation }, sent) {
  const posted = (extensions) => ({ target: ENDPOINT, ...httpRequest({ query, variables, operationName: null, extensions }) });
  if (sent !== 'hash') return [posted()];
  const extensions = { persistedQuery: { version: 1, sha256Hash: await sha256(query) } };
  const parameters = [['extensions', JSON.stringify(extensions)], ['variables', variables.trim()]].filter(([, value]) => value !== '');
  // A mutation must not be sent by GET.
  if (isMutation) {
    const body = `{${parameters.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
    return [{ ...posted(), body }, posted(extensions)];
  }
  const search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return [{ method: 'GET', target: `${ENDPOINT}?${search}`, headers: { Accept: ACCEPT }, body: undefined }, posted(extensions)];
}

/** Returns the first request of each operation. */
export async function graphQLRequests({ query, variables, sent }) {
  return Promise.all(operationsToSend(query, variables).map(async (operation) => (await requestsFor(operation, sent))[0]));
}

/** Returns the SHA-256 hash of a text in UTF-8, in hexadecimal digits. */
async function sha256(text) {
  if (!window.crypto.subtle) throw new Error('this browser computes hashes only on pages from this computer and on HTTPS pages');
  const bytes = new Uint8Array(await window.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Sends the operations of a document one after the other, and requests the pages of a list one after the other.
 *
 * @param {{query: string, variables: string, sent: string, pages: number}} asked `pages` is the maximum number of pages
 *   of each operation's list. `tried` returns the request that is sent for a request of an operation that is not a query
 * @param {function(Exchange[])} arrived a function that is called for each response
 * @returns {Promise<{exchanges: Exchange[], rounds: number}>}
 */
export async function runGraphQL({ query, variables, sent, pages, tried = (request) => request }, known, signal, arrived) {
  const exchanges = [];
  for (const first of operationsToSend(query, variables)) {
    let operation = first;
    for (let page = 1; page <= pages && operation; page += 1) {
      const answers = await answersTo(operation, sent, tried, known, signal, arrived);
      exchanges.push(...answers.map((exchange, index) => ({ ...exchange, isNextPage: page > 1, round: exchanges.length + index, shape: operation.shape })));
      const cursor = operation.takesCursor ? nextCursor(exchanges.at(-1), operation.shape) : null;
      operation = cursor === null ? null : continued(operation, cursor);
    }
  }
  return { exchanges: await Promise.all(exchanges.map(measured)), rounds: exchanges.length };
}

/**
 * Sends an operation. If `sent` is `hash`, the function behaves like a client with automatic persisted queries. It
 * first sends only the hash. If the server does not know the hash, the function sends the hash with the document, which
 * registers the document.
 */
async function answersTo(operation, sent, tried, known, signal, arrived) {
  const requests = await requestsFor(operation, sent);
  const [first, registering] = operation.isQuery ? requests : requests.map(tried);
  const answer = await sentRequest(first, known, signal);
  const isMiss = registering !== undefined && answer.json?.errors?.some((error) => error.extensions?.code === NOT_FOUND) === true;
  // The error of a server without support for hashes is neither a hit nor a miss.
  if (registering && (isMiss || answer.json?.data !== undefined)) answer.persisted = isMiss ? 'miss' : 'hit';
  arrived([answer]);
  if (!isMiss) return [answer];
  const stored = { ...(await sentRequest(registering, known, signal)), persisted: 'stored' };
  arrived([stored]);
  return [answer, stored];
}

/**
 * Returns the combined value of the responses: the value of the root field, or of all root fields. A connection becomes
 * the list of its nodes, and its pages become one list. Groups and aggregates get the members of REST. Values with the
 * same response key in several operations are merged. A mutation's payload without errors becomes the changed object.
 *
 * @returns {{value: *, sources: Sources}|{reason: string}}
 */
export function graphQLValue(exchanges) {
  const sources = new Sources();
  let data = {};
  let shape = null;
  for (const { json, status, persisted, isNextPage, shape: own } of exchanges) {
    if (persisted === 'miss') continue;
    if (json?.errors?.length > 0) return { reason: `GraphQL returned an error: ${json.errors[0].message}` };
    if (!json?.data) return { reason: `GraphQL returned ${status} without data.` };
    data = together(data, json.data, isNextPage, own, sources);
    shape = joined(shape, own);
  }
  const roots = Object.entries(withoutConnections(data, shape, sources));
  const isPayload = (key) => shape?.get(key)?.isPayload === true;
  const refused = roots.find(([key, root]) => isPayload(key) && root?.errors?.length > 0);
  if (refused) return { reason: `GraphQL returned an error: ${refused[1].errors[0].message}` };
  const values = roots.map(([key, root]) => (isPayload(key) ? withoutPayload(root, shape.get(key).below) : root));
  return { value: values.length === 1 ? values[0] : values, sources };
}

/**
 * Merges the values of two responses. A list of the second response replaces the list of the first response. If the
 * list is the next page of a connection, its rows are appended instead.
 */
function together(one, other, isNextPage, shape, sources) {
  if (!isObject(one) || !isObject(other)) return other;
  const isContinued = isNextPage && isConnection(shape);
  const members = Object.entries(other).map(([key, value]) => {
    if (isContinued && Array.isArray(value) && Array.isArray(one[key])) return [key, sources.note([...one[key], ...value], one[key], value)];
    return [key, Object.hasOwn(one, key) ? together(one[key], value, isNextPage, shape?.get(key)?.below, sources) : value];
  });
  return sources.note({ ...one, ...Object.fromEntries(members) }, one, other);
}

/**
 * @param {Shape|null|undefined} shape the shape of the value; empty for a value without a selection set
 * @param {boolean} isGroups true if the value is a list of groups
 */
function withoutConnections(value, shape, sources, isGroups = false) {
  if (!shape) return value;
  if (Array.isArray(value)) return sources.note(value.map((item) => withoutConnections(item, shape, sources)), value);
  if (!isObject(value)) return value;
  if (isConnection(shape)) {
    const [nodes, edges] = [memberNamed(shape, 'nodes'), memberNamed(shape, 'edges')];
    if (nodes && isGroups && Array.isArray(value[nodes.key])) {
      const groups = value[nodes.key];
      return sources.note(groups.map((group) => flatGroup(group, nodes.below, sources)), groups);
    }
    if (nodes && Array.isArray(value[nodes.key])) return withoutConnections(value[nodes.key], nodes.below, sources);
    if (edges && Array.isArray(value[edges.key])) {
      const node = memberNamed(edges.below, 'node');
      const list = value[edges.key];
      return sources.note(list.map((edge) => withoutConnections(edge?.[node.key], node.below, sources)), list);
    }
  }
  const members = Object.entries(value).map(([key, member]) => {
    const field = shape.get(key);
    const flat = field && isAggregate(field) ? flatGroup(member, field.below, sources) : withoutConnections(member, field?.below, sources, field?.isGroups);
    return [key, flat];
  });
  return sources.note(Object.fromEntries(members), value);
}

/**
 * Returns the object in a payload of a mutation. The payload has one member for the object and one member for errors.
 * The payload of a removal has the key of the removed row, and no object remains, so the value is null, as over REST. Any
 * other value is returned unchanged.
 *
 * @param {Shape|null} shape the shape of the payload
 */
function withoutPayload(root, shape) {
  if (!Array.isArray(root?.errors)) return root;
  const about = Object.entries(root).filter(([key]) => key !== 'errors');
  if (about.length !== 1) return root;
  const [key, value] = about[0];
  return shape?.get(key)?.name === 'deletedId' && shape.get(key).below === null ? null : value;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
