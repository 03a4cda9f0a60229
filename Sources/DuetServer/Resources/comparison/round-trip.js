import { serverTiming } from '../explorer/timing.js';
import { ResourceTiming } from './resource-timing.js';

/**
 * A request and its answer, with what they have cost. Times are milliseconds since the page was opened.
 *
 * @typedef {{
 *   request: {method: string, target: string, headers: Object, body: string|undefined},
 *   status: number, headers: Headers, text: string, json: *, isNotModified: boolean,
 *   start: number, end: number, answered: number|null,
 *   sent: number, received: {fields: number, plain: number, encoded: number}, metrics: Object[],
 *   persisted: string|undefined,
 * }} RoundTrip
 */

/**
 * Sends a request, past the browser's own cache, so that what is shown is what the server does.
 *
 * @param {KnownAnswers|null} known where there is an answer already, the server is asked whether it has a newer one
 * @returns {Promise<RoundTrip>} of a 304, `text` is the answer that is known
 */
export async function roundTrip(request, known, signal) {
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
    const entry = await timing.entry();
    const isNotModified = response.status === 304;
    const text = isNotModified ? answer?.text ?? '' : new TextDecoder().decode(bytes);
    if (response.status === 200) known?.keep(request, response.headers.get('ETag'), text);
    return {
      request: { ...request, headers }, status: response.status, headers: response.headers, text, json: parsed(text), isNotModified,
      start: entry?.startTime || start, end: entry?.responseEnd || end, answered: entry?.responseStart || null,
      sent: size(`${method} ${target} HTTP/1.1`) + 4 + fieldSize(Object.entries(headers)) + size(body ?? ''),
      received: { fields: fieldSize(response.headers), plain: bytes.byteLength, encoded: encodedSize(entry, response, bytes) },
      metrics: serverTiming(response.headers.get('Server-Timing')),
    };
  } finally {
    timing.end();
  }
}

/** The body as it was sent. */
function encodedSize(entry, response, bytes) {
  if (bytes.byteLength === 0 || !response.headers.has('Content-Encoding')) return bytes.byteLength;
  return entry?.encodedBodySize || Number(response.headers.get('Content-Length')) || bytes.byteLength;
}

const size = (text) => new TextEncoder().encode(text).length;

/** Fields as HTTP/1.1 writes them: each a line, with a colon, a space and an end. */
function fieldSize(fields) {
  return [...fields].reduce((sum, [name, value]) => sum + size(name) + size(value) + 4, 0);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
