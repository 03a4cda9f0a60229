/**
 * Reads the values that a task changes, so that they can be restored.
 *
 * @param {string} target an address. A PATCH of its response to this address restores the values
 * @returns {Promise<function(string): Promise<string>>} a function that restores the values and returns a message. Its
 *   argument is the text of the sent requests. Values that another client changed are not restored
 * @throws {Error} with a message for users
 */
export async function remembered(target) {
  const before = await read(target);
  return async (sent) => {
    try {
      const now = await read(target);
      if (now.text === before.text) return `The values are unchanged: ${before.text}`;
      if (!stands(changes(before, now), sent)) return `Another client changed the values to ${now.text}. They were not restored.`;
      const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': now.tag };
      const response = await fetch(target, { ...OPTIONS, method: 'PATCH', headers, body: before.text });
      if (response.status === 412) return 'Another client changed the values at the same time. They were not restored.';
      await answered(response);
      return `The values were restored: ${before.text}`;
    } catch (error) {
      return `The values could not be restored to ${before.text}: ${error.message}.`;
    }
  };
}

const OPTIONS = { cache: 'no-store', credentials: 'same-origin' };

async function read(target) {
  const response = await fetch(target, { ...OPTIONS, headers: { Accept: 'application/json' } });
  return { text: await answered(response), tag: response.headers.get('ETag') };
}

function changes(before, now) {
  const [old, present] = [JSON.parse(before.text), JSON.parse(now.text)];
  return Object.keys(present).filter((name) => present[name] !== old[name]).map((name) => present[name]);
}

/** Returns true if the requests contain all values as JSON. */
function stands(values, sent) {
  return values.every((value) => sent.includes(JSON.stringify(value)));
}

async function answered(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} returned ${response.status}`);
  return text;
}
