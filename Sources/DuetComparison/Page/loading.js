import { accessToken, fetchAsCaller } from '../explorer/access-token.js';

/**
 * Loads data of the page from the server.
 *
 * @throws {Error} with a message for users
 */
export async function jsonOf(address) {
  const response = await fetchAsCaller(address, accessToken.text ? { cache: 'no-store' } : {});
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => null);
  throw new Error(typeof problem?.detail === 'string' ? problem.detail : `the server returned ${response.status}`);
}
