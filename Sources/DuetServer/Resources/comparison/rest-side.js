import { readRequestLines } from './request-lines.js';
import { roundTrip } from './round-trip.js';

/**
 * Sends the requests of a text, round by round.
 *
 * @param {function(RoundTrip[])} arrived told of those that have been answered, after each round
 * @returns {Promise<{trips: RoundTrip[], rounds: number}>}
 */
export async function runREST(text, known, signal, arrived) {
  const { rounds } = readRequestLines(text);
  const trips = [];
  for (const round of rounds) {
    trips.push(...(await Promise.all(round.map((request) => roundTrip(request, known, signal)))));
    arrived(trips);
  }
  return { trips, rounds: rounds.length };
}

/**
 * What the answers say together: what lies below an address, as `/employees/10004/titles` below `/employees/10004`, is a member of
 * what is there; of the same address the last answer counts.
 *
 * @returns {{value: *}|{reason: string}} no value if an answer is a problem other than that there is nothing
 */
export function restValue(trips) {
  const values = new Map();
  for (const { request, status, json, text } of trips) {
    if (status >= 400 && status !== 404) return { reason: `REST answers ${status} to ${request.method} ${request.target}.` };
    if (json === undefined && text !== '') return { reason: `REST’s answer to ${request.method} ${request.target} is no JSON.` };
    values.set(new URL(request.target, window.location.origin).pathname.replace(/\/$/, ''), status === 404 ? null : structuredClone(json ?? null));
  }
  const roots = [];
  for (const [path, value] of values) {
    const at = path.lastIndexOf('/');
    const parent = values.get(path.slice(0, at));
    if (parent && typeof parent === 'object' && !Array.isArray(parent)) parent[path.slice(at + 1)] = value;
    else roots.push(value);
  }
  return { value: roots.length === 1 ? roots[0] : roots };
}
