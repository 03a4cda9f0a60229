import { serverTiming } from '../explorer/timing.js';
import { ResourceTiming } from './resource-timing.js';

/**
 * A request and its answer, with what they have cost. Times are milliseconds since the page was opened.
 *
 * @typedef {{
 *   request: {method: string, target: string, headers: Object, body: string|undefined},
 *   status: number, headers: Headers, text: string, json: *, isNotModified: boolean,
 *   start: number, end: number, answered: number|null,
 *   entry: Promise<PerformanceResourceTiming|null>, sent: number, received: {fields: number, plain: number, encoded: number}, metrics: Object[],
 *   persisted: string|undefined, isNextPage: boolean|undefined, line: Object|undefined, round: number|undefined,
 * }} RoundTrip `line` is the request whose list a page goes on with; `round` is the same for those that were sent at once
 */

/**
 * Sends a request, past the browser's own cache, so that what is shown is what the server does.
 *
 * @param {KnownAnswers|null} known where there is an answer already, the server is asked whether it has a newer one
 * @returns {Promise<RoundTrip>} of a 304, `text` is the answer that is known
 */
export async function roundTrip(request, known, signal) {
  return measured(await sent(request, known, signal));
}

/**
 * The same as soon as the answer is there, for requests that others follow: the browser takes its time to tell what it has measured, and
 * nobody who sends several requests would wait for that. It is to be completed by `measured`.
 */
export async function sent(request, known, signal) {
  const { method, target, body } = request;
  const answer = known?.get(request);
  const headers = { ...request.headers, ...(answer && { 'If-None-Match': answer.tag }) };
  const address = new URL(target, window.location.origin).href;
  const timing = new ResourceTiming(address);
  const start = performance.now();
  try {
    const response = await fetch(address, { method, headers, body, signal, cache: 'no-store', credentials: 'same-origin' });
    const bytes = await response.arrayBuffer();
    const end = performance.now();
    const isNotModified = response.status === 304;
    const text = isNotModified ? answer?.text ?? '' : new TextDecoder().decode(bytes);
    if (response.status === 200) known?.keep(request, response.headers.get('ETag'), text);
    return {
      request: { ...request, headers }, status: response.status, headers: response.headers, text, json: parsed(text, response.headers.get('Content-Type')), isNotModified,
      start, end, answered: null,
      sent: size(`${method} ${target} HTTP/1.1`) + 4 + fieldSize(Object.entries(headers)) + size(body ?? ''),
      received: { fields: fieldSize(response.headers), plain: bytes.byteLength, encoded: encodedSize(response, bytes) },
      metrics: serverTiming(response.headers.get('Server-Timing')), entry: timing.entry(),
    };
  } catch (error) {
    timing.end();
    throw error;
  }
}

/** A round trip with what the browser has measured of it. */
export async function measured(trip) {
  const entry = await trip.entry;
  if (!entry) return trip;
  const { received, headers } = trip;
  const isPacked = received.plain > 0 && headers.has('Content-Encoding');
  return {
    ...trip, start: entry.startTime || trip.start, end: entry.responseEnd || trip.end, answered: entry.responseStart || null,
    received: { ...received, encoded: (isPacked && entry.encodedBodySize) || received.encoded },
  };
}

/** From the first beginning to the last end, in milliseconds. */
export function span(trips) {
  return Math.max(...trips.map(({ end }) => end)) - Math.min(...trips.map(({ start }) => start));
}

/** The body as it was sent, as far as the answer itself tells. */
function encodedSize(response, bytes) {
  if (bytes.byteLength === 0 || !response.headers.has('Content-Encoding')) return bytes.byteLength;
  return Number(response.headers.get('Content-Length')) || bytes.byteLength;
}

/** Whether an answer of that type has a JSON value on each line. */
export const isLines = (mediaType) => mediaType === 'application/x-ndjson';

const size = (text) => new TextEncoder().encode(text).length;

/** Fields as HTTP/1.1 writes them: each a line, with a colon, a space and an end. */
function fieldSize(fields) {
  return [...fields].reduce((sum, [name, value]) => sum + size(name) + size(value) + 4, 0);
}

/** The value of an answer, of lines of JSON the list of theirs; undefined if it is no JSON. */
function parsed(text, mediaType) {
  try {
    if (isLines(mediaType)) return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
