/**
 * Makes an element with attributes, listeners and children.
 *
 * @param {string} name of the tag
 * @param {Object} attributes by name; `false`, `null` and `undefined` are left out, `true` is an empty attribute, and `on`
 *   holds listeners by event
 * @param {...(Node|string|null)} children text is taken as text, never as markup
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'on') {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** The element of the page with that identifier. */
export const byId = (identifier) => document.getElementById(identifier);
