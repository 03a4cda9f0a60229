import { statements } from '../explorer/timing.js';
import { leaves } from './difference.js';
import { median } from './medians.js';
import { span } from './exchange.js';

const sum = (exchanges, of) => exchanges.reduce((total, exchange) => total + of(exchange), 0);

/**
 * The costs of a side, REST or GraphQL. Sizes are in bytes, and times are medians in milliseconds.
 *
 * @typedef {{
 *   requests: number, rounds: number, sent: number, transferred: number, decoded: number, fields: number, tags: number,
 *   notModified: number, values: number|null, statements: number|null, serverTime: number, elapsed: number,
 *   times: number[],
 * }} Costs a number is null if it is unknown. `times` contains the elapsed time of each run
 */

/**
 * Returns the costs of a side.
 *
 * @param {{exchanges: Exchange[], rounds: number}} run the run whose exchanges are shown
 * @param {*} value the combined value of its responses; undefined without a value
 * @param {{exchanges: Exchange[]}[]} runs the runs whose times are measured
 * @returns {Costs}
 */
export function costsOf({ exchanges, rounds }, value, runs) {
  const times = runs.map((run) => elapsed(run.exchanges));
  return {
    requests: exchanges.length,
    rounds,
    sent: sum(exchanges, ({ sent }) => sent),
    transferred: sum(exchanges, ({ received }) => received.encoded),
    decoded: sum(exchanges, ({ received }) => received.plain),
    fields: sum(exchanges, ({ received }) => received.fields),
    tags: sum(exchanges, ({ received }) => received.tags),
    notModified: exchanges.filter(({ isNotModified }) => isNotModified).length,
    values: value === undefined ? null : leaves(value),
    statements: statementsOf(exchanges),
    serverTime: median(runs.map((run) => sum(run.exchanges, serverTime))),
    elapsed: median(times),
    times,
  };
}

/**
 * Returns the number of SQL statements of all responses; null if a response does not report its number. A response that
 * is sent while it is generated does not report it.
 */
function statementsOf(exchanges) {
  const counts = exchanges.map(({ metrics, headers }) => statements(metrics) ?? (metrics.length > 0 && !headers.has('X-Accel-Buffering') ? 0 : null));
  return counts.includes(null) ? null : counts.reduce((total, count) => total + count, 0);
}

/** Returns the sum of the phases in a response's `Server-Timing` field, in milliseconds. */
function serverTime({ metrics }) {
  return metrics.filter(({ name }) => name !== 'total').reduce((total, { milliseconds }) => total + (milliseconds ?? 0), 0);
}

/**
 * Returns the sum of the rounds' durations in milliseconds. The time between the rounds does not count, because only
 * the page works during this time.
 */
export function elapsed(exchanges) {
  return sum([...Map.groupBy(exchanges, ({ round }) => round).values()], span);
}
