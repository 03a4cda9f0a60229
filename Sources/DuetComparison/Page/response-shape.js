/** The fields of connections in the Relay specification and in this API. */
const CONNECTION_FIELDS = ['nodes', 'edges', 'pageInfo', 'totalCount', '__typename'];

/**
 * The members of an object in the response to an operation, by response key. `name` is the name of the field, and
 * `below` is the shape of its objects; null for a field without a selection set, such as a JSON value. `isPayload` is
 * true for a root field of a mutation, and `isGroups` is true for a field with groups of rows.
 *
 * The page finds connections and payloads by the operation and not by the names in a response, because a table or column
 * can have any name, such as `nodes` or `errors`.
 *
 * @typedef {Map<string, {name: string, below: Shape|null, isPayload: boolean, isGroups: boolean}>} Shape
 */

/**
 * Returns the shape of the response to an operation.
 *
 * @param {Object} operation the operation in the parsed document
 * @param {Object} document the parsed document
 * @returns {Shape}
 */
export function shapeOf(operation, document) {
  const isPayload = operation.operation === 'mutation';
  const read = (selections, shape, spread) => {
    for (const { kind, alias, name, arguments: given, selections: below } of selections) {
      if (kind === 'field') {
        const key = (alias ?? name).text;
        const known = shape.get(key);
        const members = below?.length > 0 ? read(below, known?.below ?? new Map(), spread) : null;
        shape.set(key, { name: name.text, below: members ?? known?.below ?? null, isPayload: false, isGroups: isGrouped(given) });
      } else if (kind === 'inline') {
        read(below, shape, spread);
      } else if (!spread.includes(name.text)) {
        const fragment = document.definitions.find((one) => one.kind === 'fragment' && one.name.text === name.text);
        if (fragment) read(fragment.selections, shape, [...spread, name.text]);
      }
    }
    return shape;
  };
  const root = read(operation.selections, new Map(), []);
  for (const member of root.values()) member.isPayload = isPayload;
  return root;
}

const isGrouped = (given) => given?.some(({ name }) => name.text === 'groupBy') === true;

/** Returns a shape with the members of two shapes. */
export function joined(one, other) {
  if (!one || !other) return one ?? other;
  const shape = new Map(one);
  for (const [key, member] of other) shape.set(key, { ...member, below: joined(shape.get(key)?.below ?? null, member.below) });
  return shape;
}

/** Returns true if the objects with a shape are connections. */
export function isConnection(shape) {
  const members = [...(shape?.values() ?? [])];
  return members.every(({ name }) => CONNECTION_FIELDS.includes(name))
    && members.some(({ name, below }) => (name === 'nodes' && below) || (name === 'edges' && below && memberNamed(below, 'node')?.below));
}

/** Returns the key and the shape of the member for a field; undefined if the operation does not select the field. */
export function memberNamed(shape, field) {
  const found = [...shape].find(([, { name }]) => name === field);
  return found && { key: found[0], below: found[1].below };
}
