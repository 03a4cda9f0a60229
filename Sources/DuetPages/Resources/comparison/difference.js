/**
 * Compares what two sides say, value for value. A member that only one side has is no difference: the other has not asked for it. Rows
 * are told by themselves, where the shorter of two lists has the rows of the longer one in their order, but not all of them: it may
 * have asked for fewer, or may have lost some.
 *
 * @returns {{same: number, differences: {path: string, left: *, right: *}[], onlyLeft: LeftOut, onlyRight: LeftOut}} `same` counts
 *   values that both have
 */
export function compared(left, right) {
  const comparison = new Comparison();
  comparison.visit('', '', left, right);
  return comparison;
}

/** What only one side has. */
class LeftOut {
  constructor() {
    /** How many values, by their path without indices. */
    this.counts = new Map();
    /** Where: the members of objects, and rows with their path and shape. */
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
   * @param {string} path with indices, for a person to find the place
   * @param {string} shape without, so that many places with the same are told as one
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

/** Where the longer list has the rows of the shorter one; null if it does not have all of them in their order. */
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

/** How many values there are in it that are neither lists nor objects. */
export function leaves(value) {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum, one) => sum + leaves(one), 0);
}
