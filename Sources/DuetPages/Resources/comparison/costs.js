import { statements } from '../explorer/timing.js';
import { leaves } from './difference.js';
import { median } from './medians.js';
import { span } from './round-trip.js';

const sum = (trips, of) => trips.reduce((total, trip) => total + of(trip), 0);

/**
 * The costs of a side. Sizes are in bytes, and times are medians in milliseconds.
 *
 * @typedef {{
 *   requests: number, rounds: number, sent: number, transferred: number, decoded: number, fields: number, tags: number,
 *   notModified: number, values: number|null, statements: number|null, serverTime: number, elapsed: number,
 * }} Costs a number is null if it is unknown
 */

/**
 * Returns the costs of a side.
 *
 * @param {{trips: RoundTrip[], rounds: number}} run the run whose round trips are shown
 * @param {*} value the combined value of its responses; undefined without a value
 * @param {{trips: RoundTrip[]}[]} runs the runs whose times are measured
 * @returns {Costs}
 */
export function costsOf({ trips, rounds }, value, runs) {
  return {
    requests: trips.length,
    rounds,
    sent: sum(trips, ({ sent }) => sent),
    transferred: sum(trips, ({ received }) => received.encoded),
    decoded: sum(trips, ({ received }) => received.plain),
    fields: sum(trips, ({ received }) => received.fields),
    tags: sum(trips, ({ received }) => received.tags),
    notModified: trips.filter(({ isNotModified }) => isNotModified).length,
    values: value === undefined ? null : leaves(value),
    statements: statementsOf(trips),
    serverTime: median(runs.map((run) => sum(run.trips, serverTime))),
    elapsed: median(runs.map((run) => elapsed(run.trips))),
  };
}

/**
 * Returns the number of statements of all responses. It is null if a response does not report it, such as a response
 * that is sent while it is generated.
 */
function statementsOf(trips) {
  const counts = trips.map(({ metrics, headers }) => statements(metrics) ?? (metrics.length > 0 && !headers.has('X-Accel-Buffering') ? 0 : null));
  return counts.includes(null) ? null : counts.reduce((total, count) => total + count, 0);
}

/** Returns the sum of a response's phases in milliseconds. */
function serverTime({ metrics }) {
  return metrics.filter(({ name }) => name !== 'total').reduce((total, { milliseconds }) => total + (milliseconds ?? 0), 0);
}

/**
 * Returns the sum of the rounds' durations in milliseconds. Work of the page between the rounds is not a cost of a
 * side.
 */
export function elapsed(trips) {
  return sum([...Map.groupBy(trips, ({ round }) => round).values()], span);
}
