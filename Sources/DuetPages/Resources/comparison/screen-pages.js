import { ENDPOINT, httpRequest } from '../explorer/request.js';
import { continued, operationsToSend } from './graphql-operations.js';
import { graphQLValue } from './graphql-side.js';
import { nextCursor, nextTarget } from './next-page.js';
import { readRequestLines } from './request-lines.js';
import { roundTrip } from './round-trip.js';

/**
 * The pages of a screen's rows over REST. The `Link` field of a page leads to the next page.
 *
 * @param {Screen} screen
 * @yields {{rows: Object[], trip: RoundTrip}}
 */
export async function* restPages({ rest }) {
  const [request] = readRequestLines(rest.join('\n')).rounds.flat();
  let target = request.target;
  while (target) {
    const trip = await roundTrip({ ...request, target }, null);
    if (!Array.isArray(trip.json)) throw new Error(trip.json?.detail ?? `the server returned ${trip.status}`);
    target = nextTarget(trip);
    yield { rows: trip.json, trip };
  }
}

/**
 * The pages of a screen's rows over GraphQL. The cursor of the connection leads to the next page.
 *
 * @param {Screen} screen
 * @yields {{rows: Object[], trip: RoundTrip}}
 */
export async function* graphQLPages({ graphql }) {
  let [operation] = operationsToSend(graphql.join('\n'), '');
  while (operation) {
    const { query, variables } = operation;
    const trip = await roundTrip({ target: ENDPOINT, ...httpRequest({ query, variables, operationName: null }) }, null);
    const { value, reason } = graphQLValue([trip]);
    if (reason) throw new Error(reason);
    const cursor = nextCursor(trip);
    operation = cursor === null ? null : continued(operation, cursor);
    yield { rows: value, trip };
  }
}
