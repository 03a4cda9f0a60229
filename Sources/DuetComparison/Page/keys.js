import { jsonOf } from './loading.js';

/**
 * The keys of the resources by the names of their lists; empty until they are loaded. A key contains the names of the
 * fields whose values form the last segment of a row's path.
 */
const KEYS = new Map();

/**
 * Loads the keys of the API from the server.
 *
 * @throws {Error} if they cannot be loaded
 */
export async function loadKeys() {
  for (const { name, key } of await jsonOf('/comparison/keys.json')) KEYS.set(name, key);
}

/**
 * Returns the row with a key; undefined if there is none. `rows` are the rows of the list at `path`, such as
 * `/departments`. `segment` is the last segment of the row's path, and contains the key.
 */
export function rowAt(path, segment, rows) {
  const key = KEYS.get(path.slice(1));
  if (!key) return undefined;
  const parts = key.length === 1 ? [decoded(segment)] : segment.split(',').map(decoded);
  if (parts.length !== key.length) return undefined;
  return rows.find((row) => key.every((field, index) => Object.hasOwn(row, field) && String(row[field]) === parts[index]));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
