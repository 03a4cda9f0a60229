import { element } from './element.js';
import { position } from './tokens.js';

/** The problems that each list shows, as JSON. */
const shown = new WeakMap();

/** Shows the problems of a text as a list. Each item is a button that selects the place in the editor. */
export function showProblems(list, problems, editor) {
  const places = problems.map(({ message, start, end }) => ({ message, start, end, ...position(editor.text, start) }));
  // A list with the same problems is not replaced. If it were replaced while the mouse button is down, the list's
  // button would not receive the click.
  const text = JSON.stringify(places);
  if (shown.get(list) === text) return;
  shown.set(list, text);
  list.hidden = places.length === 0;
  list.replaceChildren(
    ...places.map(({ message, start, end, line, column }) => {
      const go = () => editor.select(start, Math.max(end, start));
      return element(
        'li', {},
        element('button', { type: 'button', on: { click: go } }, element('span', { class: 'place' }, `${line}:${column}`), message),
      );
    }),
  );
}
