import { fetchAsCaller } from '../explorer/access-token.js';

/**
 * Reads the values that a task changes, so that they can be restored.
 *
 * @param {string} target the address of the values. A PATCH request to this address restores the values. Its body is an
 *   earlier response to GET
 * @returns {Promise<function(string): Promise<string>>} a function that restores the values and returns a message. Its
 *   argument is the text of the sent requests. Values that another client changed are not restored
 * @throws {Error} with a message for users
 */
export async function remembered(target) {
  const before = await read(target);
  return async (sent) => {
    try {
      const now = await read(target);
      if (now.text === before.text) return `The value is unchanged: ${before.text}`;
      if (!containsAll(sent, changes(before, now))) return `Another client changed the value to ${now.text}. The page did not restore it.`;
      const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': now.tag };
      const response = await fetchAsCaller(target, { ...OPTIONS, method: 'PATCH', headers, body: before.text });
      if (response.status === 412) return 'Another client changed the value. The page did not restore it.';
      await answered(response);
      return `The page restored the value: ${before.text}`;
    } catch (error) {
      return `The page cannot restore the value ${before.text}: ${error.message}.`;
    }
  };
}

const OPTIONS = { cache: 'no-store', credentials: 'same-origin' };

async function read(target) {
  const response = await fetchAsCaller(target, { ...OPTIONS, headers: { Accept: 'application/json' } });
  return { text: await answered(response), tag: response.headers.get('ETag') };
}

function changes(before, now) {
  const [old, present] = [JSON.parse(before.text), JSON.parse(now.text)];
  return Object.keys(present).filter((name) => present[name] !== old[name]).map((name) => present[name]);
}

/** Returns true if the requests contain all values as JSON. */
function containsAll(sent, values) {
  return values.every((value) => sent.includes(JSON.stringify(value)));
}

async function answered(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} returned ${response.status}`);
  return text;
}
