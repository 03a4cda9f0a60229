import { accessToken, fetchAsCaller } from '../explorer/access-token.js';
import { serverTiming } from '../explorer/timing.js';
import { ResourceTiming } from './resource-timing.js';

/**
 * The header fields with cache tags. The headline does not compare their size, because shared caches usually remove
 * these fields, and because the response to a GraphQL query by POST does not have them.
 */
const CACHE_TAGS = ['surrogate-key', 'cache-tag'];

/**
 * A request, its response and their costs. Times are milliseconds since the page was opened.
 *
 * @typedef {{
 *   request: {method: string, target: string, headers: Object, body: string|undefined},
 *   status: number, headers: Headers, text: string, json: *, isNotModified: boolean,
 *   start: number, end: number, answered: number|null, entry: Promise<PerformanceResourceTiming|null>, sent: number,
 *   received: {fields: number, tags: number, plain: number, encoded: number}, metrics: Object[],
 *   persisted: string|undefined, isNextPage: boolean|undefined, line: Object|undefined, round: number|undefined,
 *   shape: Shape|null|undefined,
 * }} Exchange `received.fields` does not include the cache tags, whose size is `received.tags`. `line` is the request
 *   whose list a page continues. Concurrent requests have the same `round`. `shape` describes the response of GraphQL
 */

/**
 * Sends a request without the browser's cache, so that the result shows the behavior of the server.
 *
 * @param {KnownAnswers|null} known a cache of responses, which the server revalidates
 * @returns {Promise<Exchange>} the `text` of a 304 is the cached response
 */
export async function fetchExchange(request, known, signal) {
  return measured(await sent(request, known, signal));
}

/**
 * Sends a request, and returns when the response is complete. The browser provides its measurements later. A caller
 * that sends several requests must not wait for the measurements of each request. It calls `measured` after the last
 * request.
 */
export async function sent(request, known, signal) {
  const { method, target, body } = request;
  const answer = known?.get(request);
  const headers = { ...request.headers, ...(answer && { 'If-None-Match': answer.tag }) };
  const address = new URL(target, window.location.origin).href;
  const timing = new ResourceTiming(address);
  const start = performance.now();
  try {
    const response = await fetchAsCaller(address, { method, headers, body, signal, cache: 'no-store', credentials: 'same-origin' });
    const bytes = await response.arrayBuffer();
    const end = performance.now();
    const isNotModified = response.status === 304;
    const text = isNotModified ? answer?.text ?? '' : new TextDecoder().decode(bytes);
    if (response.status === 200) known?.keep(request, response.headers.get('ETag'), text);
    return {
      request: { ...request, headers }, status: response.status, headers: response.headers, text, json: parsed(text, response.headers.get('Content-Type')), isNotModified,
      start, end, answered: null,
      sent: size(`${method} ${target} HTTP/1.1`) + 4 + fieldSize(Object.entries({ ...headers, ...accessToken.fields })) + size(body ?? ''),
      received: { ...responseFieldSizes(response.headers), plain: bytes.byteLength, encoded: encodedSize(response, bytes) },
      metrics: serverTiming(response.headers.get('Server-Timing')), entry: timing.entry(),
    };
  } catch (error) {
    timing.end();
    throw error;
  }
}

/** Returns an exchange with the browser's measurements. */
export async function measured(exchange) {
  const entry = await exchange.entry;
  if (!entry) return exchange;
  const { received, headers } = exchange;
  const isPacked = received.plain > 0 && headers.has('Content-Encoding');
  return {
    ...exchange, start: entry.startTime || exchange.start, end: entry.responseEnd || exchange.end, answered: entry.responseStart || null,
    received: { ...received, encoded: (isPacked && entry.encodedBodySize) || received.encoded },
  };
}

/** Returns the time from the first start to the last end, in milliseconds. */
export function span(exchanges) {
  return Math.max(...exchanges.map(({ end }) => end)) - Math.min(...exchanges.map(({ start }) => start));
}

/** Returns the size of the encoded body, as far as the response reports it. */
function encodedSize(response, bytes) {
  if (bytes.byteLength === 0 || !response.headers.has('Content-Encoding')) return bytes.byteLength;
  return Number(response.headers.get('Content-Length')) || bytes.byteLength;
}

/** True if a response of this type has one JSON value in each line. */
export const isLines = (mediaType) => mediaType === 'application/x-ndjson';

const size = (text) => new TextEncoder().encode(text).length;

/** Returns the sizes of the cache tags and of all other fields. */
function responseFieldSizes(headers) {
  const tags = fieldSize([...headers].filter(([name]) => CACHE_TAGS.includes(name.toLowerCase())));
  return { fields: fieldSize(headers) - tags, tags };
}

/** Returns the size of fields in HTTP/1.1. Each field is a line with a colon, a space and a line end. */
function fieldSize(fields) {
  return [...fields].reduce((sum, [name, value]) => sum + size(name) + size(value) + 4, 0);
}

/** Returns the JSON value of a response; the list of the values for lines of JSON; undefined if it is not JSON. */
function parsed(text, mediaType) {
  try {
    if (isLines(mediaType)) return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
