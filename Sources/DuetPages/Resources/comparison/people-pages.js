import { ENDPOINT, httpRequest } from '../explorer/request.js';
import { nextTarget } from './next-page.js';
import { roundTrip } from './round-trip.js';

/** People that come with one request. */
const PAGE = 30;

const DOCUMENT = `query People($first: Int!, $after: String) {
  employees(first: $first, after: $after) {
    nodes { employeeNumber firstName lastName titles(first: 1) { title } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/**
 * Pages of employees over REST, each behind the one before by its `Link`.
 *
 * @yields {{people: Object[], trip: RoundTrip}}
 */
export async function* restPages() {
  let target = `/employees?first=${PAGE}&fields=employeeNumber,firstName,lastName&details=titles`;
  while (target) {
    const trip = await roundTrip({ method: 'GET', target, headers: { Accept: 'application/json' }, body: undefined }, null);
    if (!Array.isArray(trip.json)) throw new Error(trip.json?.detail ?? `the server answers ${trip.status}`);
    target = nextTarget(trip);
    yield { people: trip.json, trip };
  }
}

/**
 * The same over GraphQL, by the cursors of the connection.
 *
 * @yields {{people: Object[], trip: RoundTrip}}
 */
export async function* graphQLPages() {
  let after = null;
  for (;;) {
    const variables = JSON.stringify({ first: PAGE, after });
    const trip = await roundTrip({ target: ENDPOINT, ...httpRequest({ query: DOCUMENT, variables, operationName: null }) }, null);
    const connection = trip.json?.data?.employees;
    if (!connection) throw new Error(trip.json?.errors?.[0]?.message ?? `the server answers ${trip.status}`);
    yield { people: connection.nodes, trip };
    if (!connection.pageInfo.hasNextPage) return;
    after = connection.pageInfo.endCursor;
  }
}
