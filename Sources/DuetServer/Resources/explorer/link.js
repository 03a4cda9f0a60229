/** The state of the page in its address, so that a link brings someone else to the same query. */

const MEMBERS = ['query', 'variables', 'operationName'];

/** What the address says; null if it says nothing. */
export function stateInAddress() {
  const parameters = new URLSearchParams(window.location.hash.slice(1));
  if (!parameters.has('query')) return null;
  return Object.fromEntries(MEMBERS.map((member) => [member, parameters.get(member) ?? '']));
}

/** Writes the state into the address, without a step in the browser's history for each letter. */
export function showInAddress(state) {
  const parameters = new URLSearchParams();
  for (const member of MEMBERS) {
    if (state[member]) parameters.set(member, state[member]);
  }
  const fragment = parameters.toString();
  const address = window.location.pathname + window.location.search + (fragment ? `#${fragment}` : '');
  window.history.replaceState(null, '', address);
}
