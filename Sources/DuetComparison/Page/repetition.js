import { hasOnlyQueries } from './graphql-operations.js';
import { readRequestLines } from './request-lines.js';

/** The maximum number of measured runs on each side. */
const MOST_RUNS = 5;
/** The time in milliseconds after which no further runs begin, except for the first measured runs. */
const LONGEST = 3000;
/** The methods of requests that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * Returns true if the texts only read, so that the page can send them several times. Texts that cannot be read count as
 * texts that write.
 *
 * @param {{rest: string, query: string}} texts
 */
export function onlyReads({ rest, query }) {
  return readRequestLines(rest).rounds.flat().every(({ method }) => SAFE_METHODS.includes(method)) && hasOnlyQueries(query);
}

/**
 * Runs two sides several times. In each turn, each side runs once. The side that runs first alternates.
 *
 * @param {[function(): Promise<*>, function(): Promise<*>]} sides
 * @param {number} begin the time when the first runs began, in milliseconds since the page was opened
 * @param {function(*): boolean} isFine false for the result of a run that must not be repeated
 * @returns {Promise<[*, *][]>} the results of both sides in each turn. If a run is not fine, the list contains only the
 *   turn of this run
 */
export async function repeated(sides, begin, isFine) {
  const turns = [];
  while (turns.length < MOST_RUNS && (turns.length === 0 || performance.now() - begin < LONGEST)) {
    const results = [];
    for (const side of turns.length % 2 === 0 ? [0, 1] : [1, 0]) results[side] = await sides[side]();
    if (!results.every(isFine)) return [results];
    turns.push(results);
  }
  return turns;
}
