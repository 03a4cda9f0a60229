/**
 * Creates an element with attributes, listeners and children.
 *
 * @param {string} name the name of the tag
 * @param {Object} attributes the attributes by name. `false`, `null` and `undefined` omit the attribute, `true` is an
 *   empty attribute, and `on` contains listeners by event
 * @param {...(Node|string|null)} children a string is inserted as text, not as markup
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

/**
 * Sets the text of an element. If the element already has this text, the function does nothing, because a screen reader
 * would read the text again.
 */
export function setText(shown, text) {
  if (shown.textContent !== text) shown.textContent = text;
}

/** Returns the element of the page with an identifier. */
export const byId = (identifier) => document.getElementById(identifier);
