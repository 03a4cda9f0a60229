/** Functions that store the state of a page in its address, so that a link restores the state. */

/**
 * Returns the state in the address; null if the address contains none of the members. A fragment such as `#main` is a
 * link to a place on the page, and not a state.
 *
 * @param {string[]} members the names of the state's members
 */
export function stateInAddress(members) {
  const parameters = new URLSearchParams(window.location.hash.slice(1));
  if (!members.some((member) => parameters.get(member))) return null;
  return Object.fromEntries(members.map((member) => [member, parameters.get(member) ?? '']));
}

/** Writes the state into the address, without a new entry in the browser's history. */
export function showInAddress(state) {
  const parameters = new URLSearchParams();
  for (const [member, value] of Object.entries(state)) {
    if (value) parameters.set(member, value);
  }
  const fragment = parameters.toString();
  const address = window.location.pathname + window.location.search + (fragment ? `#${fragment}` : '');
  window.history.replaceState(null, '', address);
}
