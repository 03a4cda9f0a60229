import { ACCEPT, ENDPOINT, httpRequest } from '../explorer/request.js';
import { continued, operationsToSend } from './graphql-operations.js';
import { Sources } from './marks.js';
import { nextCursor } from './next-page.js';
import { measured, sent as sentRequest } from './round-trip.js';

/** The error of a server that does not know a hash. */
const NOT_FOUND = 'PERSISTED_QUERY_NOT_FOUND';

/**
 * Requests as they are sent, for an operation.
 *
 * @param {Operation} operation
 * @param {string} sent `post` or `hash`
 * @returns {Promise<Object[]>} one for POST; by hash, the one with the hash alone and the one that also has the document
 */
async function requestsFor({ query, variables, isMutation }, sent) {
  const posted = (extensions) => ({ target: ENDPOINT, ...httpRequest({ query, variables, operationName: null, extensions }) });
  if (sent !== 'hash') return [posted()];
  const extensions = { persistedQuery: { version: 1, sha256Hash: await sha256(query) } };
  const parameters = [['extensions', JSON.stringify(extensions)], ['variables', variables.trim()]].filter(([, value]) => value !== '');
  // What writes is no GET.
  if (isMutation) {
    const body = `{${parameters.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
    return [{ ...posted(), body }, posted(extensions)];
  }
  const search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return [{ method: 'GET', target: `${ENDPOINT}?${search}`, headers: { Accept: ACCEPT }, body: undefined }, posted(extensions)];
}

/** The first request of each operation, as it would be sent. */
export async function graphQLRequests({ query, variables, sent }) {
  return Promise.all(operationsToSend(query, variables).map(async (operation) => (await requestsFor(operation, sent))[0]));
}

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
async function sha256(text) {
  if (!window.crypto.subtle) throw new Error('this browser computes hashes only on pages that come by HTTPS or from this very machine');
  const bytes = new Uint8Array(await window.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Asks the operations of a document, one after the other, and the pages of a list behind each other.
 *
 * @param {{query: string, variables: string, sent: string, pages: number}} asked `pages` is how many pages of each operation's list
 *   are asked for, at most
 * @param {function(RoundTrip[])} arrived told of each that has been answered
 * @returns {Promise<{trips: RoundTrip[], rounds: number}>}
 */
export async function runGraphQL({ query, variables, sent, pages }, known, signal, arrived) {
  const trips = [];
  for (const first of operationsToSend(query, variables)) {
    let operation = first;
    for (let page = 1; page <= pages && operation; page += 1) {
      const answers = await answersTo(operation, sent, known, signal, arrived);
      trips.push(...answers.map((trip, index) => ({ ...trip, isNextPage: page > 1, round: trips.length + index })));
      const cursor = operation.takesCursor ? nextCursor(trips.at(-1)) : null;
      operation = cursor === null ? null : continued(operation, cursor);
    }
  }
  return { trips: await Promise.all(trips.map(measured)), rounds: trips.length };
}

/**
 * Asks an operation; by hash as clients with automatic persisted queries do: the hash alone, and where nobody knows it, once more with
 * the document. Then it is known for the next time.
 */
async function answersTo(operation, sent, known, signal, arrived) {
  const [first, registering] = await requestsFor(operation, sent);
  const answer = await sentRequest(first, known, signal);
  const isMiss = registering !== undefined && answer.json?.errors?.some((error) => error.extensions?.code === NOT_FOUND) === true;
  // Where the server takes no hashes it says so, which is neither.
  if (registering && (isMiss || answer.json?.data !== undefined)) answer.persisted = isMiss ? 'miss' : 'hit';
  arrived([answer]);
  if (!isMiss) return [answer];
  const stored = { ...(await sentRequest(registering, known, signal)), persisted: 'stored' };
  arrived([stored]);
  return [answer, stored];
}

/**
 * What the answers say together: the value of the root field, or of all of them. A connection is the list of its nodes, and its pages
 * are one list. What has the same response key in several operations is about the same thing. Of a mutation's payload without errors
 * the object that was changed counts.
 *
 * @returns {{value: *, sources: Sources}|{reason: string}}
 */
export function graphQLValue(trips) {
  const sources = new Sources();
  let data = {};
  for (const { json, status, persisted, isNextPage } of trips) {
    if (persisted === 'miss') continue;
    if (json?.errors?.length > 0) return { reason: `GraphQL answers with an error: ${json.errors[0].message}` };
    if (!json?.data) return { reason: `GraphQL answers ${status}, without data.` };
    data = together(data, json.data, isNextPage, sources);
  }
  const roots = Object.values(withoutConnections(data, sources));
  const refused = roots.find((root) => root?.errors?.length > 0);
  if (refused) return { reason: `GraphQL answers with an error: ${refused.errors[0].message}` };
  const values = roots.map(withoutPayload);
  return { value: values.length === 1 ? values[0] : values, sources };
}

/** Both as one; of lists the later, except that those of a connection's next page are added. */
function together(one, other, isNextPage, sources) {
  if (!isObject(one) || !isObject(other)) return other;
  const isContinued = isNextPage && isObject(other.pageInfo);
  const members = Object.entries(other).map(([key, value]) => {
    if (isContinued && Array.isArray(value) && Array.isArray(one[key])) return [key, sources.note([...one[key], ...value], one[key], value)];
    return [key, Object.hasOwn(one, key) ? together(one[key], value, isNextPage, sources) : value];
  });
  return sources.note({ ...one, ...Object.fromEntries(members) }, one, other);
}

function withoutConnections(value, sources) {
  const unwrapped = (item) => withoutConnections(item, sources);
  if (Array.isArray(value)) return sources.note(value.map(unwrapped), value);
  if (!isObject(value)) return value;
  if (Array.isArray(value.nodes)) return unwrapped(value.nodes);
  if (Array.isArray(value.edges)) return sources.note(value.edges.map((edge) => unwrapped(edge?.node)), value.edges);
  return sources.note(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unwrapped(member)])), value);
}

/** What a payload is about, which has a member for it and one for what went wrong. */
function withoutPayload(root) {
  if (!Array.isArray(root?.errors)) return root;
  const about = Object.entries(root).filter(([key]) => key !== 'errors');
  return about.length === 1 ? about[0][1] : root;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
