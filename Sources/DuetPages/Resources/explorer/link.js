/** The state of a page in its address, so that a link brings someone else to the same. */

/**
 * What the address says; null if it says nothing of any member. The name alone says nothing: it is the place on the page that a link
 * leads to.
 *
 * @param {string[]} members names of what there is to say
 */
export function stateInAddress(members) {
  const parameters = new URLSearchParams(window.location.hash.slice(1));
  if (!members.some((member) => parameters.get(member))) return null;
  return Object.fromEntries(members.map((member) => [member, parameters.get(member) ?? '']));
}

/** Writes the members of the state into the address, without a step in the browser's history for each letter. */
export function showInAddress(state) {
  const parameters = new URLSearchParams();
  for (const [member, value] of Object.entries(state)) {
    if (value) parameters.set(member, value);
  }
  const fragment = parameters.toString();
  const address = window.location.pathname + window.location.search + (fragment ? `#${fragment}` : '');
  window.history.replaceState(null, '', address);
}
