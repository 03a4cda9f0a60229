import { element } from '../explorer/element.js';
import { coloured, jsonPieces } from '../explorer/highlight.js';
import { layOutJSON } from '../explorer/json.js';
import { isLines } from './exchange.js';
import { groupsView } from './groups-view.js';

/**
 * The maximum number of shown characters. A page with an element for each token of a longer response is slow. curl
 * shows the complete response.
 */
const LONGEST_SHOWN = 50_000;

/**
 * Returns a formatted response of one side, REST or GraphQL, with marks on the values that the other side omits. If the
 * response has groups, a table of them is above it.
 *
 * @param {Exchange} exchange
 * @param {{marks: Marks, other: string}|null} comparison `other` is the other side's name; null without a comparison
 * @returns {Element[]}
 */
export function answerView(exchange, comparison) {
  const { text, json, headers, request, isNotModified } = exchange;
  const cut = text.slice(0, LONGEST_SHOWN);
  const hasLines = isLines(headers.get('Content-Type'));
  const pieces = jsonPieces(hasLines ? cut : layOutJSON(cut));
  const label = `Response to ${request.method} ${request.target.split('?')[0]}`;
  return [
    isNotModified ? element('p', { class: 'help' }, 'The response has no body. This is the cached response.') : null,
    ...groupsView(exchange),
    text.length > LONGEST_SHOWN ? element('p', { class: 'help' }, `The first ${LONGEST_SHOWN.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are shown.`) : null,
    element(
      'pre', { class: 'exchange-body', tabindex: '0', role: 'region', 'aria-label': label },
      comparison && json !== undefined ? marked(pieces, hasLines ? json : [json], comparison) : coloured(pieces),
    ),
  ].filter(Boolean);
}

/** Returns elements for the pieces. Adjacent marked pieces on a line share one `<mark>`. */
function marked(pieces, values, { marks, other }) {
  const fragment = document.createDocumentFragment();
  let mark = null;
  for (const { isLeftOut, ...piece } of withMarks(pieces, values, marks)) {
    mark = isLeftOut ? mark ?? fragment.appendChild(element('mark', { title: `${other} omits this` })) : null;
    (mark ?? fragment).append(coloured([piece]));
  }
  return fragment;
}

/**
 * Returns the pieces of JSON texts with the member `isLeftOut`, which is true if the other side omits the piece. The
 * function follows the tokens through the parsed values.
 *
 * @param {Piece[]} pieces
 * @param {Object[]} values the values of the texts, in their order
 */
function withMarks(pieces, values, marks) {
  const texts = values.values();
  /** The open objects and arrays at a token; the innermost is the last. `key` is the member or row of the token. */
  const open = [];
  const isLeftOut = (inner) => inner !== undefined && (inner.isLeftOut || (inner.key !== null && marks.hasMember(inner.value, inner.key)));
  const begin = (text) => {
    const outer = open.at(-1);
    const value = outer ? outer.value?.[outer.key] : texts.next().value;
    open.push({ value, key: text === '[' ? 0 : null, isLeftOut: isLeftOut(outer) || marks.hasWhole(value) });
  };
  return pieces.map(({ text, style }) => {
    // A mark does not include line breaks, because an underlined indentation has no use.
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
