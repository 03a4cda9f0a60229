/**
 * Reads what a task is about to change, so that it can be written back.
 *
 * @param {string} target an address whose answer, sent there by PATCH, makes things as they were
 * @returns {Promise<function(): Promise<string>>} writes it back, and tells how that went
 * @throws {Error} with a message for a person
 */
export async function remembered(target) {
  const before = await answered(await fetch(target, { headers: { Accept: 'application/json' }, cache: 'no-store', credentials: 'same-origin' }));
  return async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    try {
      await answered(await fetch(target, { method: 'PATCH', headers, body: before, cache: 'no-store', credentials: 'same-origin' }));
      return `Put back as it was: ${before}`;
    } catch (error) {
      return `It could not be put back as it was, ${before}: ${error.message}.`;
    }
  };
}

async function answered(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} answers ${response.status}`);
  return text;
}
