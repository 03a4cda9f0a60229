import { IncrementalResult } from './incremental.js';
import { MultipartReader } from './multipart.js';

/** What the server is told that an answer can be. */
export const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';
const ACCEPT_PARTS = 'multipart/mixed, application/graphql-response+json, application/json';

/** The address requests go to: the page's own. */
export const ENDPOINT = '/graphql';

/**
 * The parts of a GraphQL request over HTTP.
 *
 * @param {{query: string, variables: string, operationName: string|null, extensions: Object|undefined}} request `variables` is
 *   JSON, or empty
 * @param {boolean} asksForParts whether the answer may come in several parts
 */
export function httpRequest({ query, variables, operationName, extensions }, asksForParts = false) {
  const members = [`"query":${JSON.stringify(query)}`];
  // As it was written: reading it would change numbers that are longer than the browser's.
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
 *   parts: number, isComplete: boolean}} the answer; one in parts several times, with all that has come so far
 */
export async function* send(request, signal) {
  const begin = performance.now();
  const response = await fetch(ENDPOINT, { ...request, signal, credentials: 'same-origin', cache: 'no-store' });
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
  if (result.hasNext) throw new TypeError('The answer broke off before its last part.');
}

/** Asks for the schema. Throws an `Error` with a message for a person if there is none to be had. */
export async function introspect(query) {
  const response = await fetch(ENDPOINT, httpRequest({ query, variables: '', operationName: null }));
  const answer = await response.json().catch(() => null);
  const schema = answer?.data?.__schema;
  if (schema) return schema;
  throw new Error(answer?.errors?.[0]?.message ?? `the server answered ${response.status}`);
}
