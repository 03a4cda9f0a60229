import { element } from './element.js';
import { position } from './tokens.js';

/** Problems of a text as a list, each a button that selects its place in the editor. */
export function showProblems(list, problems, editor) {
  list.hidden = problems.length === 0;
  list.replaceChildren(
    ...problems.map(({ message, start, end }) => {
      const { line, column } = position(editor.text, start);
      const go = () => editor.select(start, Math.max(end, start));
      return element(
        'li', {},
        element('button', { type: 'button', on: { click: go } }, element('span', { class: 'place' }, `${line}:${column}`), message),
      );
    }),
  );
}
