import { groupingOf } from './groups.js';
import { rowAt } from './keys.js';
import { Sources } from './marks.js';
import { nextTarget } from './next-page.js';
import { readRequestLines } from './request-lines.js';
import { measured, sent } from './exchange.js';

/**
 * Sends the requests of a text, one round after the other. Each further page of the lists is one more round.
 *
 * @param {{rest: string, pages: number}} asked `pages` is the maximum number of pages of each list.
 *   `tried` returns the request that is sent for a line
 * @param {function(Exchange[])} arrived a function that is called for the responses of each round
 * @returns {Promise<{exchanges: Exchange[], rounds: number}>}
 */
export async function runREST({ rest, pages, tried = (line) => line }, known, signal, arrived) {
  const exchanges = [];
  let count = 0;
  for (const round of readRequestLines(rest).rounds) {
    let requests = round.map((line) => ({ line, request: tried(line) }));
    for (let page = 1; page <= pages && requests.length > 0; page += 1) {
      const number = count;
      const answers = await Promise.all(requests.map(async ({ line, request }) => (
        { ...(await sent(request, known, signal)), isNextPage: page > 1, line, round: number }
      )));
      exchanges.push(...answers);
      arrived(answers);
      count += 1;
      requests = answers.flatMap((exchange) => {
        const target = nextTarget(exchange);
        return target ? [{ line: exchange.line, request: tried({ ...exchange.line, target }) }] : [];
      });
    }
  }
  return { exchanges: await Promise.all(exchanges.map(measured)), rounds: count };
}

/**
 * Returns the combined value of the responses. The response at an address such as `/employees/10004/titles` becomes a
 * member of the response at `/employees/10004`, if there is one. The pages of a list become one list. Lists with
 * different queries are separate, and so are groups and aggregates. If an address has several other responses, the last
 * response is used.
 *
 * @returns {{value: *, sources: Sources}|{reason: string}} only a reason if a response is an error other than 404, or
 *   is not JSON
 */
export function restValue(exchanges) {
  /**
   * The responses by address. A list has a separate key, because the response to a POST to the address of the list is
   * the created object and not the list.
   */
  const answers = new Map();
  /** The lists by the line that requested their first page. */
  const lists = new Map();
  const sources = new Sources();
  for (const { request, status, json, text, isNextPage, line } of exchanges) {
    if (status >= 400 && status !== 404) return { reason: `REST returned ${status} for ${request.method} ${request.target}.` };
    if (json === undefined && text !== '') return { reason: `The response of REST to ${request.method} ${request.target} is not JSON.` };
    const { pathname, search } = new URL(request.target, window.location.origin);
    const path = pathname.replace(/\/$/, '');
    const value = status === 404 ? null : copied(json ?? null, sources);
    const grouping = request.method === 'GET' ? groupingOf(request.target) : null;
    if (grouping && !Array.isArray(value)) {
      answers.set(`${grouping} ${path}${search}`, { path, value, grouping });
    } else if (!Array.isArray(value)) {
      answers.set(path, { path, value });
    } else if (isNextPage && lists.has(line)) {
      lists.get(line).push(...value);
    } else {
      lists.set(line, value);
      answers.set(`list ${path}${search}`, { path, value, grouping });
    }
  }
  const roots = [];
  const rows = [...answers.values()].filter(({ grouping }) => !grouping);
  for (const { path, value, grouping } of answers.values()) {
    const [above, name] = split(path);
    const owner = objectAt(rows, above);
    // GraphQL has the aggregates of a relation in a field of their own.
    if (owner && owner !== value) owner[grouping === 'aggregate' ? `${name}Aggregate` : name] = value;
    else roots.push(value);
  }
  return { value: roots.length === 1 ? roots[0] : roots, sources };
}

/** Returns a copy that can be extended. */
function copied(value, sources) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return sources.note(value.map((item) => copied(item, sources)), value);
  return sources.note(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member, sources)])), value);
}

/**
 * Returns the object at an address: a response, or an item of a response that is a list. For example,
 * `/departments/d005` is the item of `/departments` with this key.
 */
function objectAt(answers, path) {
  const [above, name] = split(path);
  const valuesAt = (place) => answers.filter((answer) => answer.path === place).map(({ value }) => value);
  return valuesAt(path).find(isObject)
    ?? rowAt(above, name, valuesAt(above).filter(Array.isArray).flat().filter(isObject));
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const split = (path) => [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
