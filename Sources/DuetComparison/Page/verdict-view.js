import { byId, element } from '../explorer/element.js';
import { counted } from './counted.js';

/** The maximum number of shown differences. */
const MOST_SHOWN = 10;
/** The maximum number of shown characters of a value. */
const LONGEST = 60;

/** Removes the verdict. */
export function clearVerdict() {
  showIncomparable([]);
}

/** Shows that the sides cannot be compared, and the reasons. */
export function showIncomparable(reasons) {
  say(reasons.join(' '), 'idle');
  showDifferences([], []);
  showUnused([]);
}

/**
 * Shows whether both sides have the same data.
 *
 * @param {Comparison} comparison REST is on the left
 */
export function showVerdict({ verdict, same, differences, onlyLeft, onlyRight }) {
  const missing = [
    ...onlyLeft.rows.map(({ path }) => ({ path, name: 'REST' })),
    ...onlyRight.rows.map(({ path }) => ({ path, name: 'GraphQL' })),
  ];
  const values = `${counted(same, 'value')} ${same === 1 ? 'is' : 'are'}`;
  if (verdict === 'different') {
    say(`The sides differ in ${counted(differences.length, 'place')}; ${values} equal.`, 'wrong');
  } else if (verdict === 'rows') {
    const names = new Set(missing.map(({ name }) => name));
    say(`Same data except for ${counted(missing.length, 'row')}, which only ${names.size === 1 ? [...names][0] : 'one side'} has; ${values} equal.`, 'idle');
  } else if (verdict === 'common') {
    say(`Same data in all common values: ${values} equal.`, same > 0 ? 'fine' : 'idle');
  } else {
    say(same === 1 ? 'Same data: the one value is equal.' : `Same data: all ${values} equal.`, 'fine');
  }
  showDifferences(differences, missing);
  showUnused([['REST', 'GraphQL', onlyLeft], ['GraphQL', 'REST', onlyRight]]);
}

function say(text, state) {
  const status = byId('verdict-status');
  status.textContent = text;
  status.dataset.state = state;
}

/** @param {{path: string, name: string}[]} missing the rows that only the side with this name has */
function showDifferences(differences, missing) {
  const list = byId('verdict-differences');
  const count = differences.length + missing.length;
  list.hidden = count === 0;
  const left = count - MOST_SHOWN;
  list.replaceChildren(
    ...differences.slice(0, MOST_SHOWN).map((difference) => element(
      'li', {},
      element('code', {}, difference.path || 'whole response'), ' REST ', element('code', {}, written(difference.left)),
      ', GraphQL ', element('code', {}, written(difference.right)),
    )),
    ...missing.slice(0, Math.max(0, MOST_SHOWN - differences.length)).map(({ path, name }) => element('li', {}, element('code', {}, path), ` a row that only ${name} has`)),
    ...(left > 0 ? [element('li', {}, `and ${left.toLocaleString('en')} more`)] : []),
  );
}

/** Shows the values that only one side requested, by their path. */
function showUnused(sides) {
  byId('verdict-unused').replaceChildren(
    ...sides.filter(([, , { counts }]) => counts.size > 0).flatMap(([name, other, { counts, rows }]) => [
      element('h3', {}, `Only in ${name}: ${other} omits these values`),
      element('ul', { class: 'unused' }, ...[...counts].map(([path, count]) => element(
        'li', {}, element('code', {}, path), ` ${rowsIn(rows, path)}${counted(count, 'value')}`,
      ))),
    ]),
  );
}

/**
 * Returns the number of rows at a path without indices, as text; an empty text if the values at the path are not rows.
 */
function rowsIn(rows, path) {
  const count = rows.filter(({ shape }) => shape === path).length;
  return count === 0 ? '' : `${counted(count, 'row')} with `;
}

function written(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
