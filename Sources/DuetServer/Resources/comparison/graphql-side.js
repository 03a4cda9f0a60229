import { ACCEPT, ENDPOINT, httpRequest } from '../explorer/request.js';
import { roundTrip } from './round-trip.js';

/** The error of a server that does not know a hash. */
const NOT_FOUND = 'PERSISTED_QUERY_NOT_FOUND';

/**
 * Requests as `roundTrip` sends them, for a query and its variables.
 *
 * @param {{query: string, variables: string, sent: string}} asked `sent` is `post` or `hash`
 * @returns {Promise<Object[]>} one for POST; by hash, the one with the hash alone and the one that also has the document
 */
export async function graphQLRequests({ query, variables, sent }) {
  const posted = (extensions) => ({ target: ENDPOINT, ...httpRequest({ query, variables, operationName: null, extensions }) });
  if (sent !== 'hash') return [posted()];
  const extensions = { persistedQuery: { version: 1, sha256Hash: await sha256(query) } };
  const parameters = [['extensions', JSON.stringify(extensions)], ['variables', variables.trim()]]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return [{ method: 'GET', target: `${ENDPOINT}?${parameters.join('&')}`, headers: { Accept: ACCEPT }, body: undefined }, posted(extensions)];
}

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
async function sha256(text) {
  if (!window.crypto.subtle) throw new Error('this browser computes hashes only on pages that come by HTTPS or from this very machine');
  const bytes = new Uint8Array(await window.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Asks a query; by hash as clients with automatic persisted queries do: the hash alone, and where nobody knows it, once more with
 * the document. Then it is known for the next time.
 *
 * @param {function(RoundTrip[])} arrived told of those that have been answered, after each
 * @returns {Promise<{trips: RoundTrip[], rounds: number}>}
 */
export async function runGraphQL(asked, known, signal, arrived) {
  const [first, registering] = await graphQLRequests(asked);
  const trips = [await roundTrip(first, known, signal)];
  arrived(trips);
  if (registering) {
    const isMiss = trips[0].json?.errors?.some((error) => error.extensions?.code === NOT_FOUND) === true;
    if (isMiss) trips.push({ ...(await roundTrip(registering, known, signal)), persisted: 'stored' });
    // Where the server takes no hashes it says so, which is neither.
    if (isMiss || trips[0].json?.data !== undefined) trips[0].persisted = isMiss ? 'miss' : 'hit';
    arrived(trips);
  }
  return { trips, rounds: trips.length };
}

/**
 * What the answer says: the value of the root field, or of all of them; a connection is the list of its nodes.
 *
 * @returns {{value: *}|{reason: string}}
 */
export function graphQLValue(trips) {
  const { json, status } = trips.at(-1);
  if (json?.errors?.length > 0) return { reason: `GraphQL answers with an error: ${json.errors[0].message}` };
  if (!json?.data) return { reason: `GraphQL answers ${status}, without data.` };
  const roots = Object.values(withoutConnections(json.data));
  return { value: roots.length === 1 ? roots[0] : roots };
}

function withoutConnections(value) {
  if (Array.isArray(value)) return value.map(withoutConnections);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value.nodes)) return value.nodes.map(withoutConnections);
  if (Array.isArray(value.edges)) return value.edges.map((edge) => withoutConnections(edge?.node));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutConnections(member)]));
}
