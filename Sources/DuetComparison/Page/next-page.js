import { isConnection, memberNamed } from './response-shape.js';

/**
 * Returns the address of the next page from the `Link` field of a response (RFC 8288); undefined if there is no next
 * page.
 */
export function nextTarget({ headers }) {
  return headers.get('Link')?.match(/<([^>]*)>;\s*rel="?next"?/)?.[1];
}

/**
 * Returns the cursor of the next page from the first connection that has a next page; null if there is no next page.
 *
 * @param {Exchange} exchange
 * @param {Shape|null} shape the shape of the response
 */
export function nextCursor({ json }, shape) {
  return pageInfos(json?.data, shape).find(({ hasNextPage }) => hasNextPage === true)?.endCursor ?? null;
}

function pageInfos(value, shape) {
  if (!shape || value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((item) => pageInfos(item, shape));
  const own = isConnection(shape) ? memberNamed(shape, 'pageInfo') : undefined;
  const below = [...shape].flatMap(([key, member]) => pageInfos(value[key], member.below));
  return own && value[own.key] ? [value[own.key], ...below] : below;
}
