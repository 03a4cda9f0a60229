import { fetchAsCaller } from './access-token.js';
import { IncrementalResult } from './incremental.js';
import { MultipartReader } from './multipart.js';

/** The media types that a response can have. */
export const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';
const ACCEPT_PARTS = 'multipart/mixed, application/graphql-response+json, application/json';

/** The address of requests, which is the address of the page. */
export const ENDPOINT = '/graphql';

/**
 * Returns the method, the header fields and the body of a GraphQL request.
 *
 * @param {{query: string, variables: string, operationName: string|null, extensions: Object|undefined}} request
 *   `variables` is JSON, or empty
 * @param {boolean} asksForParts true if the response may have several parts
 */
export function httpRequest({ query, variables, operationName, extensions }, asksForParts = false) {
  const members = [`"query":${JSON.stringify(query)}`];
  // The text is not parsed, because parsing would change numbers that exceed the browser's precision.
  if (variables.trim() !== '') members.push(`"variables":${variables.trim()}`);
  if (operationName) members.push(`"operationName":${JSON.stringify(operationName)}`);
  if (extensions) members.push(`"extensions":${JSON.stringify(extensions)}`);
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: asksForParts ? ACCEPT_PARTS : ACCEPT },
    body: `{${members.join(',')}}`,
  };
}

/**
 * Sends a request.
 *
 * @param {{method: string, headers: Object, body: string}} request
 * @param {AbortSignal} signal
 * @yields {{status: number, statusText: string, headers: Headers, text: string, bytes: number, milliseconds: number,
 *   parts: number, isComplete: boolean}} the response. For a response with several parts, a value is yielded after each
 *   part, with all parts that have arrived
 */
export async function* send(request, signal) {
  const begin = performance.now();
  const response = await fetchAsCaller(ENDPOINT, { ...request, signal, credentials: 'same-origin', cache: 'no-store' });
  const answer = (text, bytes, parts, isComplete) => ({
    status: response.status, statusText: response.statusText, headers: response.headers,
    text, bytes, parts, isComplete, milliseconds: performance.now() - begin,
  });
  const mediaType = response.headers.get('Content-Type') ?? '';
  if (!/^multipart\/mixed\b/i.test(mediaType)) {
    const bytes = await response.arrayBuffer();
    yield answer(new TextDecoder().decode(bytes), bytes.byteLength, 1, true);
    return;
  }
  const reader = new MultipartReader(mediaType);
  const result = new IncrementalResult();
  const decoder = new TextDecoder();
  const stream = response.body.getReader();
  let bytes = 0;
  let parts = 0;
  for (;;) {
    const { value, done } = await stream.read();
    if (done) break;
    bytes += value.byteLength;
    for (const part of reader.push(decoder.decode(value, { stream: true }))) {
      result.add(JSON.parse(part));
      parts += 1;
      yield answer(result.text, bytes, parts, !result.hasNext);
    }
  }
  if (result.hasNext) throw new TypeError('The response ended before its last part.');
}

/** Requests the schema. Throws an `Error` with a message for users if the schema is not available. */
export async function introspect(query) {
  const response = await fetchAsCaller(ENDPOINT, httpRequest({ query, variables: '', operationName: null }));
  const answer = await response.json().catch(() => null);
  const schema = answer?.data?.__schema;
  if (schema) return schema;
  throw new Error(answer?.errors?.[0]?.message ?? answer?.detail ?? `the server returned ${response.status}`);
}
