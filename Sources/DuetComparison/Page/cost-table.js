import { element } from '../explorer/element.js';
import { duration } from '../explorer/timing.js';

const number = (value) => value.toLocaleString('en');
const bytes = (value) => `${number(value)} bytes`;

/** The rows of the table. Each entry has a label, the name of a cost, and a function that returns the text of a value. */
const ROWS = [
  ['Requests', 'requests', number],
  ['Consecutive rounds', 'rounds', number],
  ['Request (line, fields and body)', 'sent', bytes],
  ['Response body (transferred)', 'transferred', bytes],
  ['Response body (decoded)', 'decoded', bytes],
  ['Response fields', 'fields', bytes],
  ['Cache tags', 'tags', bytes],
  ['Not modified (304)', 'notModified', number],
  ['Values', 'values', number],
  ['SQL statements', 'statements', number],
  ['Time in the server', 'serverTime', duration],
  ['Time until complete', 'elapsed', duration],
];

/**
 * Returns a table of the costs of each side, REST and GraphQL. A dash represents an unknown value.
 *
 * @param {{name: string, costs: Costs|null}[]} sides
 * @param {string} runs a text about the number of runs whose times the table shows; empty before the first run
 */
export function costTable(sides, runs) {
  const cell = (costs, name, text) => element('td', {}, typeof costs?.[name] === 'number' ? text(costs[name]) : '–');
  return element(
    'table', {},
    element('caption', {}, 'Costs', runs ? element('span', { class: 'runs' }, ` (times: ${runs})`) : null),
    element('thead', {}, element('tr', {}, element('td', {}), ...sides.map(({ name }) => element('th', { scope: 'col' }, name)))),
    element(
      'tbody', {},
      ...ROWS.map(([label, name, text]) => element(
        'tr', {}, element('th', { scope: 'row' }, label), ...sides.map(({ costs }) => cell(costs, name, text)),
      )),
    ),
  );
}

/** Returns the number of runs as text. */
export function runsInWords(count) {
  return count === 1 ? 'one run' : `median of ${count} runs`;
}
