import { counted } from './counted.js';
import { differInTime } from './time-difference.js';

/** The difference of the bytes, as a part of the higher number, below which both sides count as equal. */
const SAME_BYTES = 0.03;
/** The subject of a clause about both sides. */
const BOTH = 'both';

/**
 * Returns the result of a run in one or two sentences: whether the data is equal, and the differences of the costs.
 *
 * @param {Comparison|null} comparison null for responses that cannot be compared
 * @param {{name: string, costs: Costs}[]} sides the two sides, REST and GraphQL
 * @param {number|null} resolution the resolution of the clock in milliseconds; null if no warm-up preceded the runs.
 *   The times are then not compared
 */
export function headline(comparison, sides, resolution) {
  if (!comparison) return 'The responses cannot be compared.';
  const clauses = [
    revalidationClause(sides), requestClause(sides), byteClause(sides), statementClause(sides), timeClause(sides, resolution),
  ];
  return `${dataSentence(comparison)} ${sentence(clauses.filter(Boolean))}`;
}

function dataSentence({ verdict, same, differences, onlyLeft, onlyRight }) {
  if (verdict === 'different') return `The data differs in ${counted(differences.length, 'place')}.`;
  if (verdict === 'rows') return `Same data except for ${counted(onlyLeft.rows.length + onlyRight.rows.length, 'row')}.`;
  if (verdict === 'common') return same > 0 ? 'Same data in all common values.' : 'The responses have no values in common.';
  return 'Same data.';
}

/**
 * Returns the name of the side with the lower cost, the lower cost, the higher cost, and the difference as a part of
 * the higher cost (`share`).
 */
function ordered(sides, of) {
  const [less, more] = sides.toSorted((one, other) => of(one.costs) - of(other.costs));
  const [low, high] = [of(less.costs), of(more.costs)];
  return { name: less.name, low, high, share: high === 0 ? 0 : (high - low) / high };
}

function requestClause(sides) {
  const { name, low, high } = ordered(sides, ({ requests }) => requests);
  return low === high ? null : [name, `made ${counted(low, 'request')} instead of ${high.toLocaleString('en')}`];
}

/** Returns a clause about the bytes of the requests and of the responses, without cache tags. */
function byteClause(sides) {
  const { name, share } = ordered(sides, ({ sent, transferred, fields }) => sent + transferred + fields);
  if (share < SAME_BYTES) return [BOTH, 'transferred about the same number of bytes'];
  return [name, `transferred ${Math.min(99, Math.round(100 * share))} % fewer bytes`];
}

/** Returns a clause about the responses that were revalidated; null if there are none. */
function revalidationClause(sides) {
  const { name, low, high } = ordered(sides, ({ notModified }) => -notModified);
  if (low === 0) return null;
  const revalidated = `revalidated ${counted(-low, 'cached response')} (304)`;
  return low === high ? [BOTH, revalidated] : [name, revalidated];
}

function statementClause(sides) {
  if (sides.some(({ costs }) => costs.statements === null)) return null;
  const { name, low, high } = ordered(sides, ({ statements }) => statements);
  if (high === 0) return [BOTH, 'ran no statements'];
  const ran = `ran ${counted(low, 'statement')}`;
  return low === high ? [BOTH, ran] : [name, `${ran} instead of ${high.toLocaleString('en')}`];
}

function timeClause(sides, resolution) {
  if (resolution === null || !differInTime(sides[0].costs, sides[1].costs, resolution)) return null;
  const { name, low, high } = ordered(sides, ({ elapsed }) => elapsed);
  return [name, `was ${rounded(high - low)} faster`];
}

/** Returns milliseconds as text, rounded to two significant digits. */
function rounded(milliseconds) {
  const [value, unit] = milliseconds < 1000 ? [milliseconds, 'ms'] : [milliseconds / 1000, 's'];
  return `${Number(value.toPrecision(2)).toLocaleString('en')} ${unit}`;
}

/** Returns a sentence of clauses. Clauses with the same subject become one clause. */
function sentence(clauses) {
  const groups = [...Map.groupBy(clauses, ([subject]) => subject)];
  const text = groups.map(([subject, found]) => `${subject} ${listed(found.map(([, predicate]) => predicate))}`).join('; ');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** Returns texts as a list, such as `one, two and three`. */
function listed(texts) {
  return texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
