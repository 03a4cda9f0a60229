/**
 * Returns the address of the next page from the `Link` field of a response (RFC 8288); undefined if there is no next
 * page.
 */
export function nextTarget({ headers }) {
  return headers.get('Link')?.match(/<([^>]*)>;\s*rel="?next"?/)?.[1];
}

/**
 * Returns the cursor of the next page from the first connection that has a next page; null if there is no next page.
 */
export function nextCursor({ json }) {
  return pageInfos(json?.data).find(({ hasNextPage }) => hasNextPage === true)?.endCursor ?? null;
}

function pageInfos(value) {
  if (value === null || typeof value !== 'object') return [];
  return [...(value.pageInfo ? [value.pageInfo] : []), ...Object.values(value).flatMap(pageInfos)];
}
