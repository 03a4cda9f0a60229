import { rowAt } from './keys.js';
import { Sources } from './marks.js';
import { nextTarget } from './next-page.js';
import { readRequestLines } from './request-lines.js';
import { measured, sent } from './round-trip.js';

/**
 * Sends the requests of a text, round by round; the pages of a list are one round behind the other.
 *
 * @param {{rest: string, pages: number}} asked `pages` is how many pages of each list are asked for, at most
 * @param {function(RoundTrip[])} arrived told of those that have been answered in a round
 * @returns {Promise<{trips: RoundTrip[], rounds: number}>}
 */
export async function runREST({ rest, pages }, known, signal, arrived) {
  const trips = [];
  let count = 0;
  for (const round of readRequestLines(rest).rounds) {
    let requests = round.map((line) => ({ line, request: line }));
    for (let page = 1; page <= pages && requests.length > 0; page += 1) {
      const number = count;
      const answers = await Promise.all(requests.map(async ({ line, request }) => (
        { ...(await sent(request, known, signal)), isNextPage: page > 1, line, round: number }
      )));
      trips.push(...answers);
      arrived(answers);
      count += 1;
      requests = answers.flatMap((trip) => {
        const target = nextTarget(trip);
        return target ? [{ line: trip.line, request: { ...trip.line, target } }] : [];
      });
    }
  }
  return { trips: await Promise.all(trips.map(measured)), rounds: count };
}

/**
 * What the answers say together: what lies below an address, as `/employees/10004/titles` below `/employees/10004`, is a member of
 * what is there; the pages of a list are one list, and lists that are asked for in several ways are several; otherwise, of the same
 * address the last answer counts.
 *
 * @returns {{value: *, sources: Sources}|{reason: string}} no value if an answer is a problem other than that there is nothing
 */
export function restValue(trips) {
  /** What is where. A list has a key of its own, for what is created at its address is not the list. */
  const answers = new Map();
  /** By the line that has asked for its first page. */
  const lists = new Map();
  const sources = new Sources();
  for (const { request, status, json, text, isNextPage, line } of trips) {
    if (status >= 400 && status !== 404) return { reason: `REST answers ${status} to ${request.method} ${request.target}.` };
    if (json === undefined && text !== '') return { reason: `REST’s answer to ${request.method} ${request.target} is no JSON.` };
    const { pathname, search } = new URL(request.target, window.location.origin);
    const path = pathname.replace(/\/$/, '');
    const value = status === 404 ? null : copied(json ?? null, sources);
    if (!Array.isArray(value)) {
      answers.set(path, { path, value });
    } else if (isNextPage && lists.has(line)) {
      lists.get(line).push(...value);
    } else {
      lists.set(line, value);
      answers.set(`list ${path}${search}`, { path, value });
    }
  }
  const roots = [];
  for (const { path, value } of answers.values()) {
    const [above, name] = split(path);
    const owner = objectAt([...answers.values()], above);
    if (owner && owner !== value) owner[name] = value;
    else roots.push(value);
  }
  return { value: roots.length === 1 ? roots[0] : roots, sources };
}

/** A copy that something can be put into. */
function copied(value, sources) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return sources.note(value.map((item) => copied(item, sources)), value);
  return sources.note(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member, sources)])), value);
}

/** The object at an address: an answer, or an item of one that is a list: `/departments/d005` is the item of `/departments` with that key. */
function objectAt(answers, path) {
  const [above, name] = split(path);
  const valuesAt = (place) => answers.filter((answer) => answer.path === place).map(({ value }) => value);
  return valuesAt(path).find(isObject)
    ?? rowAt(above, name, valuesAt(above).filter(Array.isArray).flat().filter(isObject));
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const split = (path) => [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
