import { accessToken } from './access-token.js';

/** Quotes a text as one word of a POSIX shell. */
export function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns the shell command that sends a request. It does not contain the user's token: the shell reads the token from
 * the variable `DUET_TOKEN`.
 *
 * @param {string} address an absolute URL
 * @param {{method: string, headers: Object, body: string|undefined}} request the options for `fetch`
 */
export function curlCommand(address, { method, headers, body }) {
  const words = [`curl ${shellQuoted(address)}`];
  // curl expands brackets and braces to several addresses.
  if (/[[\]{}]/.test(address)) words.push('  --globoff');
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`  -X ${method}`);
  for (const [name, value] of Object.entries(headers)) words.push(`  -H ${shellQuoted(`${name}: ${value}`)}`);
  if (accessToken.text) words.push('  -H "Authorization: Bearer $DUET_TOKEN"');
  if (body !== undefined) words.push(`  --data-raw ${shellQuoted(body)}`);
  return words.join(' \\\n');
}
