/** A word for a POSIX shell that stands for exactly this text. */
export function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The command that sends a request from a shell.
 *
 * @param {string} address an absolute URL
 * @param {{method: string, headers: Object, body: string|undefined}} request as for `fetch`
 */
export function curlCommand(address, { method, headers, body }) {
  const words = [`curl ${shellQuoted(address)}`];
  // To curl, brackets and braces stand for several addresses.
  if (/[[\]{}]/.test(address)) words.push('  --globoff');
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`  -X ${method}`);
  for (const [name, value] of Object.entries(headers)) words.push(`  -H ${shellQuoted(`${name}: ${value}`)}`);
  if (body !== undefined) words.push(`  --data-raw ${shellQuoted(body)}`);
  return words.join(' \\\n');
}
