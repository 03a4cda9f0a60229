/**
 * Groups and aggregates in the responses of both sides.
 *
 * In REST, the members of a group have names with dots, such as `customer.country` and `total.sum`. In GraphQL, the keys
 * are members of `key`, and the aggregates of a field are members of an object. For the comparison and the table, a group
 * of GraphQL becomes an object with the members of REST.
 */

const FUNCTIONS = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max', '__typename'];
const DATE_PARTS = ['value', 'year', 'quarter', 'month', 'week', 'day', 'hour', 'weekday', '__typename'];

/**
 * Returns true if a field returns the aggregates of all rows. The schema is not known, so the function looks at the name
 * and the selection of the field.
 *
 * @param {{name: string, below: Shape|null}} field a member of a shape
 */
export function isAggregate({ name, below }) {
  return name.endsWith('Aggregate') && below !== null && [...below.values()].every((member) => (
    member.below ? hasOnly(member.below, FUNCTIONS) : ['count', '__typename'].includes(member.name)
  ));
}

/**
 * Returns the request for groups or aggregates: `group`, `aggregate`, or null for another request.
 *
 * @param {string} target the address of a REST request
 */
export function groupingOf(target) {
  const { searchParams } = new URL(target, window.location.origin);
  return ['group', 'aggregate'].find((name) => searchParams.has(name)) ?? null;
}

/**
 * Returns a group, or the aggregates of all rows, with the members of REST.
 *
 * @param {Shape} shape
 * @param {Sources} sources
 */
export function flatGroup(group, shape, sources) {
  if (!isObject(group)) return group;
  const members = new Map();
  for (const [key, value] of Object.entries(group)) {
    const field = shape.get(key);
    if (!field?.below) members.set(key, { object: group, key });
    else if (field.name === 'key') addKeys(members, value, field.below);
    else for (const name of Object.keys(value ?? {})) members.set(`${key}.${name}`, { object: value, key: name });
  }
  const flat = Object.fromEntries([...members].map(([name, { object, key }]) => [name, object[key]]));
  return sources.noteMembers(flat, group, members);
}

/** Adds the keys of a group. A key that is null in place of an object is not a key of the groups. */
function addKeys(members, keys, shape) {
  for (const [key, value] of Object.entries(keys ?? {})) {
    const below = shape.get(key)?.below;
    if (!below) {
      members.set(key, { object: keys, key });
      continue;
    }
    const isDate = hasOnly(below, DATE_PARTS);
    for (const name of Object.keys(value ?? {})) {
      const isWhole = isDate && below.get(name)?.name === 'value';
      members.set(isWhole ? key : `${key}.${name}`, { object: value, key: name });
    }
  }
}

const hasOnly = (shape, names) => [...shape.values()].every(({ name, below }) => !below && names.includes(name));

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
