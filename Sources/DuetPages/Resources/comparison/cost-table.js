import { element } from '../explorer/element.js';
import { duration, statements } from '../explorer/timing.js';
import { leaves } from './difference.js';
import { span } from './round-trip.js';

const number = (value) => (value === null ? '–' : value.toLocaleString('en'));
const bytes = (value) => `${number(value)} bytes`;
const sum = (trips, of) => trips.reduce((total, trip) => total + of(trip), 0);

/** The measured values of a side. Each entry has a label and a function that returns the text. */
const MEASURES = [
  ['Requests', ({ trips }) => number(trips.length)],
  ['Consecutive rounds', ({ rounds }) => number(rounds)],
  ['Request line, fields and body', ({ trips }) => bytes(sum(trips, ({ sent }) => sent))],
  ['Response body (transferred)', ({ trips }) => bytes(sum(trips, ({ received }) => received.encoded))],
  ['Response body (decoded)', ({ trips }) => bytes(sum(trips, ({ received }) => received.plain))],
  ['Response fields', ({ trips }) => bytes(sum(trips, ({ received }) => received.fields))],
  ['Unchanged (304)', ({ trips }) => number(trips.filter(({ isNotModified }) => isNotModified).length)],
  ['Values', ({ value }) => (value === undefined ? '–' : number(leaves(value)))],
  ['SQL statements', ({ trips }) => number(statementsOf(trips))],
  ['Server time', ({ trips }) => duration(sum(trips, serverTime))],
  ['Time until all responses are complete', ({ trips }) => duration(elapsed(trips))],
];

/**
 * Returns the number of statements of all responses. It is null if a response does not report it, such as a response
 * that is sent while it is generated.
 */
function statementsOf(trips) {
  const counts = trips.map(({ metrics, headers }) => statements(metrics) ?? (metrics.length > 0 && !headers.has('X-Accel-Buffering') ? 0 : null));
  return counts.includes(null) ? null : counts.reduce((total, count) => total + count, 0);
}

/** Returns the sum of a response's phases in milliseconds. */
export function serverTime({ metrics }) {
  return metrics.filter(({ name }) => name !== 'total').reduce((total, { milliseconds }) => total + (milliseconds ?? 0), 0);
}

/**
 * Returns the sum of the rounds' durations in milliseconds. Work of the page between the rounds is not a cost of a
 * side.
 */
export function elapsed(trips) {
  return sum([...Map.groupBy(trips, ({ round }) => round).values()], span);
}

/**
 * Returns a table of the costs of each side.
 *
 * @param {{name: string, trips: RoundTrip[], rounds: number, value: *}[]} sides
 */
export function costTable(sides) {
  return element(
    'table', {},
    element('caption', {}, 'Cost'),
    element('thead', {}, element('tr', {}, element('td', {}), ...sides.map(({ name }) => element('th', { scope: 'col' }, name)))),
    element(
      'tbody', {},
      ...MEASURES.map(([label, of]) => element('tr', {}, element('th', { scope: 'row' }, label), ...sides.map((side) => element('td', {}, of(side))))),
    ),
  );
}
