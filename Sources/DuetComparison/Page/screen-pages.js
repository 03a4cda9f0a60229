import { ENDPOINT, httpRequest } from '../explorer/request.js';
import { continued, operationsToSend } from './graphql-operations.js';
import { graphQLValue } from './graphql-side.js';
import { nextCursor, nextTarget } from './next-page.js';
import { readRequestLines } from './request-lines.js';
import { fetchExchange } from './exchange.js';

/**
 * Requests the rows of a screen over REST, page by page. The `Link` field of a page contains the address of the next
 * page.
 *
 * @param {Screen} screen
 * @yields {{rows: Object[], exchange: Exchange}}
 */
export async function* restPages({ rest }) {
  const [request] = readRequestLines(rest.join('\n')).rounds.flat();
  let target = request.target;
  while (target) {
    const exchange = await fetchExchange({ ...request, target }, null);
    if (!Array.isArray(exchange.json)) throw new Error(exchange.json?.detail ?? `the server returned ${exchange.status}`);
    target = nextTarget(exchange);
    yield { rows: exchange.json, exchange };
  }
}

/**
 * Requests the rows of a screen over GraphQL, page by page. The connection contains the cursor of the next page.
 *
 * @param {Screen} screen
 * @yields {{rows: Object[], exchange: Exchange}}
 */
export async function* graphQLPages({ graphql }) {
  let [operation] = operationsToSend(graphql.join('\n'), '');
  while (operation) {
    const { query, variables, shape } = operation;
    const exchange = await fetchExchange({ target: ENDPOINT, ...httpRequest({ query, variables, operationName: null }) }, null);
    const { value, reason } = graphQLValue([{ ...exchange, shape }]);
    if (reason) throw new Error(reason);
    const cursor = nextCursor(exchange, shape);
    operation = cursor === null ? null : continued(operation, cursor);
    yield { rows: value, exchange };
  }
}
