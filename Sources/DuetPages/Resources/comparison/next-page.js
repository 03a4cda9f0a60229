/** The address of the page behind an answer's, by its `Link` (RFC 8288); undefined where it is the last, or no page. */
export function nextTarget({ headers }) {
  return headers.get('Link')?.match(/<([^>]*)>;\s*rel="?next"?/)?.[1];
}

/** Where the page behind an answer's begins, by its first connection that says so; null where there is none. */
export function nextCursor({ json }) {
  return pageInfos(json?.data).find(({ hasNextPage }) => hasNextPage === true)?.endCursor ?? null;
}

function pageInfos(value) {
  if (value === null || typeof value !== 'object') return [];
  return [...(value.pageInfo ? [value.pageInfo] : []), ...Object.values(value).flatMap(pageInfos)];
}
