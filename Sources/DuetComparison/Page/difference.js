/**
 * Compares the values of two sides, REST and GraphQL. A member that only one side has is not a difference, because the
 * other side did not request it. If the longer of two lists contains all rows of the shorter list in the same order,
 * the additional rows are not differences, but are reported separately: the other side requested fewer rows, or its
 * list lacks rows.
 *
 * @returns {Comparison} the differences. `same` is the number of equal values
 */
export function compared(left, right) {
  const comparison = new Comparison();
  comparison.visit('', '', left, right);
  return comparison;
}

/** The values that only one side has. */
class LeftOut {
  constructor() {
    /** The number of values, by their path without indices. */
    this.counts = new Map();
    /** The places of the values: `{object, key}` for a member, and `{row, path, shape}` for a row of a list. */
    this.places = [];
  }

  add(shape, value, place) {
    this.counts.set(shape, (this.counts.get(shape) ?? 0) + leaves(value));
    this.places.push(place);
  }

  get rows() {
    return this.places.filter((place) => 'row' in place);
  }
}

class Comparison {
  constructor() {
    this.same = 0;
    this.differences = [];
    this.onlyLeft = new LeftOut();
    this.onlyRight = new LeftOut();
  }

  /**
   * The verdict: `different` if values differ; otherwise `rows` if only one side has some rows; otherwise `common` if
   * only one side has some members; otherwise `same`.
   */
  get verdict() {
    if (this.differences.length > 0) return 'different';
    if (this.onlyLeft.rows.length + this.onlyRight.rows.length > 0) return 'rows';
    return this.onlyLeft.places.length + this.onlyRight.places.length > 0 ? 'common' : 'same';
  }

  /**
   * @param {string} path the path with indices, with which a user finds the place
   * @param {string} shape the path without indices, so that places with the same shape are reported as one
   */
  visit(path, shape, left, right) {
    if (Array.isArray(left) && Array.isArray(right)) this.visitLists(path, shape, left, right);
    else if (isObject(left) && isObject(right)) this.visitObjects(path, shape, left, right);
    else if (left === right) this.same += 1;
    else this.differences.push({ path, left, right });
  }

  visitObjects(path, shape, left, right) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const [place, kind] = [joined(path, key), joined(shape, key)];
      if (!Object.hasOwn(right, key)) this.onlyLeft.add(kind, left[key], { object: left, key });
      else if (!Object.hasOwn(left, key)) this.onlyRight.add(kind, right[key], { object: right, key });
      else this.visit(place, kind, left[key], right[key]);
    }
  }

  visitLists(path, shape, left, right) {
    const isLeftLonger = left.length > right.length;
    const [longer, shorter] = isLeftLonger ? [left, right] : [right, left];
    const rows = longer.length === shorter.length ? [...longer.keys()] : rowsOf(longer, shorter);
    if (!rows) {
      this.differences.push({ path: joined(path, 'length'), left: left.length, right: right.length });
      return;
    }
    for (const [index, row] of rows.entries()) {
      const pair = isLeftLonger ? [left[row], right[index]] : [left[index], right[row]];
      this.visit(`${path}[${row}]`, `${shape}[]`, ...pair);
    }
    const taken = new Set(rows);
    const only = isLeftLonger ? this.onlyLeft : this.onlyRight;
    longer.forEach((value, row) => {
      if (!taken.has(row)) only.add(`${shape}[]`, value, { row: value, path: `${path}[${row}]`, shape: `${shape}[]` });
    });
  }
}

/**
 * Returns the indices of the shorter list's rows in the longer list; null if the longer list does not contain all these
 * rows in their order.
 */
function rowsOf(longer, shorter) {
  const rows = [];
  for (const [row, value] of longer.entries()) {
    if (rows.length < shorter.length && agrees(value, shorter[rows.length])) rows.push(row);
  }
  return rows.length === shorter.length ? rows : null;
}

function agrees(left, right) {
  const { same, differences } = compared(left, right);
  return same > 0 && differences.length === 0;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const joined = (path, key) => (path === '' ? key : `${path}.${key}`);

/** Returns the number of contained values that are neither lists nor objects. */
export function leaves(value) {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum, one) => sum + leaves(one), 0);
}
