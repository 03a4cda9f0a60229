import { byId, element } from '../explorer/element.js';

/** Most differences that are shown. */
const MOST_SHOWN = 10;
/** Most characters of a value. */
const LONGEST = 60;

/** Says that the sides cannot be compared, and why. */
export function showIncomparable(reasons) {
  say(reasons.join(' '), 'idle');
  showDifferences([]);
  showUnused([]);
}

/**
 * Says whether both sides have the same data.
 *
 * @param {{same: number, differences: Object[], onlyLeft: Map, onlyRight: Map}} comparison REST is on the left
 */
export function showVerdict({ same, differences, onlyLeft, onlyRight }) {
  const values = same === 1 ? '1 value is' : `${same.toLocaleString('en')} values are`;
  if (differences.length > 0) {
    const places = differences.length === 1 ? 'one place' : `${differences.length.toLocaleString('en')} places`;
    say(`The sides differ in ${places}; ${values} equal.`, 'wrong');
  } else if (onlyLeft.size + onlyRight.size > 0) {
    say(`Same data where both have it: ${values} equal.`, same > 0 ? 'fine' : 'idle');
  } else {
    say(same === 1 ? 'Same data: the one value is equal.' : `Same data: all ${values} equal.`, 'fine');
  }
  showDifferences(differences);
  showUnused([['REST', 'GraphQL', onlyLeft], ['GraphQL', 'REST', onlyRight]]);
}

function say(text, state) {
  const status = byId('verdict-status');
  status.textContent = text;
  status.dataset.state = state;
}

function showDifferences(differences) {
  const list = byId('verdict-differences');
  list.hidden = differences.length === 0;
  const left = differences.length - MOST_SHOWN;
  list.replaceChildren(
    ...differences.slice(0, MOST_SHOWN).map((difference) => element(
      'li', {},
      element('code', {}, difference.path || 'the whole'), ' REST ', element('code', {}, written(difference.left)),
      ', GraphQL ', element('code', {}, written(difference.right)),
    )),
    ...(left > 0 ? [element('li', {}, `and ${left.toLocaleString('en')} more`)] : []),
  );
}

/** What a side has that the other has not asked for, by its path. */
function showUnused(sides) {
  byId('verdict-unused').replaceChildren(
    ...sides.filter(([, , paths]) => paths.size > 0).flatMap(([name, other, paths]) => [
      element('h3', {}, `Only in ${name}: what ${other} leaves out`),
      element('ul', { class: 'unused' }, ...[...paths].map(([path, count]) => element(
        'li', {}, element('code', {}, path), ` ${path.endsWith('[]') ? 'rows with ' : ''}${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`,
      ))),
    ]),
  );
}

function written(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
