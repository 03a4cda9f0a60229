/** The preference with which the server performs a write with all checks, and stores nothing. */
export const PREFERENCE = 'tx=rollback';

/** Returns a request whose change the server undoes. */
export function undone(request) {
  return request.method === 'GET' ? request : { ...request, headers: { ...request.headers, Prefer: PREFERENCE } };
}

/**
 * Returns true if a request with the preference has succeeded, and the response does not confirm that nothing is stored.
 * A GraphQL response without data confirms it, because the operation was not executed.
 *
 * @param {Exchange} exchange
 */
export function isStored({ request, status, headers, json }) {
  if (request.headers?.Prefer !== PREFERENCE || status >= 400) return false;
  if (Array.isArray(json?.errors) && !json.data) return false;
  return !(headers.get('Preference-Applied') ?? '').includes(PREFERENCE);
}
