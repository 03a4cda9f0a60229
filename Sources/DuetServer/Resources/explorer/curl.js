/** A word for a POSIX shell that stands for exactly this text. */
export function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The command that sends a request from a shell.
 *
 * @param {string} address an absolute URL
 * @param {{method: string, headers: Object, body: string}} request as for `fetch`
 */
export function curlCommand(address, { headers, body }) {
  const fields = Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`);
  return [`curl ${shellQuoted(address)}`, ...fields, `  --data-raw ${shellQuoted(body)}`].join(' \\\n');
}
