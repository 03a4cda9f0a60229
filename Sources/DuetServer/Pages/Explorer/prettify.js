import { parse } from './parser.js';
import { walk } from './syntax-tree.js';
import { tokenize } from './tokens.js';

const WIDTH = 80;
const LINE_KINDS = ['operation', 'fragment', 'field', 'spread', 'inline'];
const LISTED_KINDS = ['argument', 'variableDefinition'];

/**
 * Returns the formatted document, with one selection in each line and two spaces for each level. Lists are broken if
 * they do not fit into a line. A comment remains before its token or at the end of its line. Single empty lines remain.
 *
 * @throws {SyntaxProblem} if the text is not a document
 */
export function prettify(text) {
  if (text.trim() === '') return '';
  const tokens = tokenize(text);
  return new Layout(text, tokens, lineStarts(parse(text))).print();
}

/** Returns the offsets of nodes that begin a line, and of list items. */
function lineStarts(document) {
  const lines = new Set();
  const items = new Set();
  walk(document, (node) => {
    if (LINE_KINDS.includes(node.kind)) lines.add(node.start);
    if (LISTED_KINDS.includes(node.kind)) items.add(node.start);
    if (node.kind === 'list') for (const item of node.items) items.add(item.start);
  });
  return { lines, items };
}

class Layout {
  constructor(text, tokens, { lines, items }) {
    this.text = text;
    this.tokens = tokens;
    this.lines = lines;
    this.items = items;
    this.output = '';
    /** The open brackets: `{selection, broken, opening}`. */
    this.brackets = [];
    /** Comments that are written at the end of the line. */
    this.waiting = [];
  }

  print() {
    let previous = null;
    for (const [index, token] of this.tokens.entries()) {
      if (token.kind === 'comment') {
        this.comment(token, this.tokens[index + 1], previous);
      } else {
        this.token(token, index, previous);
        previous = token;
      }
    }
    this.endLine();
    return `${this.output.trimEnd()}\n`;
  }

  get indentation() {
    return '  '.repeat(this.brackets.filter((bracket) => bracket.broken).length);
  }

  get isAtLineStart() {
    return this.output === '' || this.output.endsWith('\n');
  }

  endLine() {
    if (this.waiting.length > 0) {
      const [first, ...rest] = this.waiting;
      this.waiting = [];
      this.output += (this.isAtLineStart ? this.indentation : ' ') + first;
      for (const comment of rest) this.output += `\n${this.indentation}${comment}`;
    }
    if (!this.isAtLineStart) this.output += '\n';
  }

  write(text) {
    this.output += this.isAtLineStart ? this.indentation + text : text;
  }

  /**
   * Writes a comment. A comment on a separate line remains there if a node begins or ends below it. Any other comment
   * is written at the end of the line.
   */
  comment(token, next, previous) {
    const own = /(^|\n)[ \t,]*$/.test(this.text.slice(0, token.start));
    const isBelow = !next || next.kind === 'comment' || this.lines.has(next.start) || this.isBrokenItem(next) || '})]'.includes(next.text);
    if (!own || !isBelow) {
      this.waiting.push(token.text.trimEnd());
      return;
    }
    this.endLine();
    // An empty line separates the first comment of a definition from the previous definition.
    if (this.brackets.length === 0 && previous && !this.followsComment()) this.output = `${this.output.trimEnd()}\n\n`;
    else this.keepEmptyLine(token);
    this.write(token.text.trimEnd());
    this.output += '\n';
  }

  isBrokenItem(token) {
    return this.items.has(token.start) && this.brackets.at(-1)?.broken;
  }

  token(token, index, previous) {
    if (this.isClosing(token)) {
      const bracket = this.brackets.pop();
      if (bracket.broken) this.endLine();
      else if (token.text === '}' && previous.text !== '{') this.write(' ');
      this.write(token.text);
      return;
    }
    if (this.lines.has(token.start)) {
      this.endLine();
      if (this.brackets.length === 0 && this.output !== '' && previous && !this.followsComment()) this.output = `${this.output.trimEnd()}\n\n`;
      else this.keepEmptyLine(token);
    } else if (this.items.has(token.start)) {
      this.separateItem(previous);
    } else if (previous && this.isApart(previous, token)) {
      this.write(' ');
    }
    this.write(token.kind === 'blockString' ? token.text.trimEnd() : token.text);
    if (this.isOpening(token)) {
      const selection = token.text === '{' && this.brackets.every((bracket) => bracket.selection);
      this.brackets.push({ selection, broken: selection || !this.fits(index), opening: token });
    }
  }

  /**
   * Returns true if the previous line of the output is a comment. Between a comment and its definition, no empty line
   * is written.
   */
  followsComment() {
    return this.output.trimEnd().split('\n').at(-1).trimStart().startsWith('#');
  }

  separateItem(previous) {
    const bracket = this.brackets.at(-1);
    if (bracket.broken) this.endLine();
    else if (previous !== bracket.opening) this.write(', ');
    else if (bracket.opening.text === '{') this.write(' ');
  }

  keepEmptyLine(token) {
    if (this.output === '' || /[{([]\n$/.test(this.output)) return;
    if (/\n[ \t,]*\r?\n[ \t,]*$/.test(this.text.slice(0, token.start))) this.output = `${this.output.trimEnd()}\n\n`;
  }

  isOpening(token) {
    return token.kind === 'punctuator' && '{(['.includes(token.text);
  }

  isClosing(token) {
    return token.kind === 'punctuator' && '})]'.includes(token.text);
  }

  isApart(previous, token) {
    if (previous.kind === 'punctuator' && '([$@!'.includes(previous.text)) return previous.text === '!' && '@={'.includes(token.text);
    if (previous.text === '...') return token.text === 'on' || token.text === '@' || token.text === '{';
    if (token.kind === 'punctuator' && '(:!'.includes(token.text)) return false;
    return true;
  }

  /**
   * Returns true if the list whose opening bracket is the token at `index` fits into the rest of the line and contains
   * nothing that needs a separate line.
   */
  fits(index) {
    let depth = 0;
    let width = this.output.length - this.output.lastIndexOf('\n') - 1;
    for (let at = index; at < this.tokens.length; at += 1) {
      const token = this.tokens[at];
      if (token.kind === 'comment' || token.text.includes('\n')) return false;
      if (this.isOpening(token)) depth += 1;
      if (this.isClosing(token)) depth -= 1;
      width += token.text.length + (this.isApart(this.tokens[at - 1], token) ? 1 : 0) + (this.items.has(token.start) ? 1 : 0);
      if (width > WIDTH) return false;
      if (depth === 0) return true;
    }
    return false;
  }
}
