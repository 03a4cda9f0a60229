import { element } from '../explorer/element.js';
import { coloured, jsonPieces } from '../explorer/highlight.js';
import { layOutJSON } from '../explorer/json.js';
import { isLines } from './round-trip.js';

/** Longer answers are cut: a page with an element for each of their tokens is slow, and curl has all. */
const LONGEST_SHOWN = 50_000;

/**
 * An answer laid out, with marks on what the other side leaves out.
 *
 * @param {RoundTrip} trip
 * @param {{marks: Marks, other: string}|null} comparison `other` is the other side's name; null where nothing was compared
 * @returns {Element[]}
 */
export function answerView({ text, json, headers, request, isNotModified }, comparison) {
  const cut = text.slice(0, LONGEST_SHOWN);
  const hasLines = isLines(headers.get('Content-Type'));
  const pieces = jsonPieces(hasLines ? cut : layOutJSON(cut));
  const label = `Answer to ${request.method} ${request.target.split('?')[0]}`;
  return [
    isNotModified ? element('p', { class: 'help' }, 'Nothing came but fields; this is the answer that was known.') : null,
    text.length > LONGEST_SHOWN ? element('p', { class: 'help' }, `These are the first ${LONGEST_SHOWN.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters.`) : null,
    element(
      'pre', { class: 'trip-body', tabindex: '0', role: 'region', 'aria-label': label },
      comparison && json !== undefined ? marked(pieces, hasLines ? json : [json], comparison) : coloured(pieces),
    ),
  ].filter(Boolean);
}

/** Elements for the pieces; those that are marked and stand next to each other on a line are in one `<mark>`. */
function marked(pieces, values, { marks, other }) {
  const fragment = document.createDocumentFragment();
  let mark = null;
  for (const { isLeftOut, ...piece } of withMarks(pieces, values, marks)) {
    mark = isLeftOut ? mark ?? fragment.appendChild(element('mark', { title: `${other} leaves this out` })) : null;
    (mark ?? fragment).append(coloured([piece]));
  }
  return fragment;
}

/**
 * The pieces of JSON texts, each with whether it is left out: by following the tokens through the values that were read from them.
 *
 * @param {Piece[]} pieces
 * @param {Object[]} values of the texts, in their order
 */
function withMarks(pieces, values, marks) {
  const texts = values.values();
  /** What is open at a token, the innermost last; `key` is that of the member, or of the row, which the token belongs to. */
  const open = [];
  const isLeftOut = (inner) => inner !== undefined && (inner.isLeftOut || (inner.key !== null && marks.hasMember(inner.value, inner.key)));
  const begin = (text) => {
    const outer = open.at(-1);
    const value = outer ? outer.value?.[outer.key] : texts.next().value;
    open.push({ value, key: text === '[' ? 0 : null, isLeftOut: isLeftOut(outer) || marks.hasWhole(value) });
  };
  return pieces.map(({ text, style }) => {
    // Marks are those of lines: an indentation that is underlined helps nobody.
    if (style === null) return { text, style, isLeftOut: !text.includes('\n') && isLeftOut(open.at(-1)) };
    if (text === '{' || text === '[') begin(text);
    const inner = open.at(-1);
    if (style === 'key') inner.key = JSON.parse(text);
    if (text === '}' || text === ']') return { text, style, isLeftOut: open.pop()?.isLeftOut === true };
    if (text !== ',' || !inner) return { text, style, isLeftOut: isLeftOut(inner) };
    inner.key = Array.isArray(inner.value) ? inner.key + 1 : null;
    return { text, style, isLeftOut: inner.isLeftOut };
  });
}
