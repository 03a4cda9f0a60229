import { element } from './element.js';
import { tokenizeJSON } from './json.js';
import { tokenize } from './tokens.js';

/**
 * A piece of a text with its color class. The concatenated pieces of a text are the whole text.
 *
 * @typedef {{text: string, style: string|null}} Piece
 */

const DEFINITION_WORDS = ['query', 'mutation', 'subscription', 'fragment'];

/** Returns the style of each token. The style depends on the surrounding tokens. */
function graphqlStyles(tokens) {
  const significant = tokens.filter((token) => token.kind !== 'comment');
  const styles = new Map();
  const brackets = [];
  significant.forEach((token, index) => {
    const previous = significant[index - 1];
    const isTop = brackets.length === 0;
    let style = { integer: 'number', float: 'number', blockString: 'string', name: 'field' }[token.kind] ?? token.kind;
    if (token.kind === 'punctuator') {
      if ('{(['.includes(token.text)) brackets.push(token.text === '(' || brackets.includes('(') ? '(' : token.text);
      if ('})]'.includes(token.text)) brackets.pop();
      if (token.text === '$' || token.text === '@') style = token.text === '$' ? 'variable' : 'directive';
    } else if (token.kind === 'name') {
      const isIn = brackets.includes('(');
      if (previous?.text === '$') style = 'variable';
      else if (previous?.text === '@') style = 'directive';
      else if (token.text === 'on' && (previous?.text === '...' || isTop)) style = 'keyword';
      else if (previous?.text === 'on') style = 'type';
      else if (previous?.text === '...') style = 'definition';
      else if (isTop) style = DEFINITION_WORDS.includes(token.text) && !DEFINITION_WORDS.includes(previous?.text) ? 'keyword' : 'definition';
      else if (isIn && significant[index + 1]?.text === ':') style = 'argument';
      else if (isIn) style = isVariableType(significant, index) ? 'type' : 'constant';
    }
    styles.set(token, style);
  });
  return styles;
}

/** Returns true if the name is the type of a variable: `$id: [ID!]`. */
function isVariableType(tokens, index) {
  let at = index - 1;
  while (tokens[at]?.text === '[') at -= 1;
  return tokens[at]?.text === ':' && tokens[at - 2]?.text === '$';
}

/** @returns {Piece[]} */
export function graphqlPieces(text) {
  const tokens = tokenize(text);
  const styles = graphqlStyles(tokens);
  return pieces(text, tokens, (token) => styles.get(token) ?? token.kind);
}

/** @returns {Piece[]} */
export function jsonPieces(text) {
  return pieces(text, tokenizeJSON(text), (token) => token.kind);
}

function pieces(text, tokens, style) {
  const found = [];
  let end = 0;
  for (const token of tokens) {
    if (token.start > end) found.push({ text: text.slice(end, token.start), style: null });
    found.push({ text: token.text, style: style(token) });
    end = token.end;
  }
  if (end < text.length) found.push({ text: text.slice(end), style: null });
  return found;
}

/**
 * Returns elements for pieces of a text.
 *
 * @param {Piece[]} found
 * @param {{start: number, end: number}[]} problems pieces in the range of a problem are underlined
 */
export function coloured(found, problems = []) {
  const fragment = document.createDocumentFragment();
  let start = 0;
  for (const { text, style } of found) {
    const end = start + text.length;
    const isWrong = text.trim() !== '' && problems.some((problem) => problem.start < end && problem.end > start);
    const classes = [style && `token-${style}`, isWrong && 'wrong'].filter(Boolean).join(' ');
    fragment.append(classes ? element('span', { class: classes }, text) : text);
    start = end;
  }
  return fragment;
}
