import { byId, element } from './element.js';
import { coloured } from './highlight.js';
import { typingEdit } from './typing.js';

/** The maximum length of a colored text. In a longer text, each key press would update thousands of elements. */
const LONGEST_COLOURED = 50_000;

/**
 * A text field with colors and line numbers. A transparent `<textarea>` contains the text. It covers a `<pre>` with the
 * same text in colors. Both have the size of the text, and scroll together in the enclosing element.
 *
 * The editor fires `input` after each change of the text, and `caret` after each move of the cursor.
 */
export class Editor extends EventTarget {
  /**
   * @param {string} identifier the identifier of the `<textarea>` in the page
   * @param {function(string): Piece[]} pieces a function that colors a text
   */
  constructor(identifier, pieces) {
    super();
    this.field = byId(identifier);
    this.pieces = pieces;
    this.problems = [];
    this.lines = element('div', { class: 'editor-lines', 'aria-hidden': 'true' });
    this.colours = element('pre', { class: 'editor-colours', 'aria-hidden': 'true' });
    this.field.before(this.lines, this.colours);
    /** True after the Escape key. The next Tab then leaves the editor instead of indenting. */
    this.isLeaving = false;
    this.field.addEventListener('input', () => this.changed());
    this.field.addEventListener('keydown', (event) => this.keyDown(event));
    this.field.addEventListener('blur', () => { this.isLeaving = false; });
    document.addEventListener('selectionchange', () => {
      if (document.activeElement === this.field) this.dispatchEvent(new Event('caret'));
    });
    this.draw();
  }

  get text() {
    return this.field.value;
  }

  /** Replaces the whole text and discards the undo history. The function `replace` retains the undo history. */
  set text(text) {
    if (text === this.field.value) return;
    this.field.value = text;
    this.changed();
  }

  get caret() {
    return this.field.selectionEnd;
  }

  /** Replaces a part of the text, so that the browser can undo the change. */
  replace(start, end, text, caret = start + text.length) {
    const field = this.field;
    field.focus();
    field.setSelectionRange(start, end);
    // `execCommand` is deprecated, but no other function changes a field's text and retains the undo history.
    const isDone = text === '' ? start === end || document.execCommand('delete') : document.execCommand('insertText', false, text);
    if (!isDone) {
      field.setRangeText(text, start, end, 'end');
      this.changed();
    }
    field.setSelectionRange(caret, caret);
    this.revealCaret();
  }

  select(start, end) {
    this.field.focus();
    this.field.setSelectionRange(start, end);
    this.revealCaret();
  }

  /** Underlines parts of the text. */
  mark(problems) {
    this.problems = problems;
    this.draw();
  }

  changed() {
    this.problems = [];
    this.draw();
    this.revealCaret();
    this.dispatchEvent(new Event('input'));
  }

  draw() {
    const { text } = this;
    const found = text.length > LONGEST_COLOURED ? [{ text, style: null }] : this.pieces(text);
    // An empty last line only has a height if another line follows.
    this.colours.replaceChildren(coloured(found, this.problems), '\n');
    const count = text.split('\n').length;
    if (this.lines.childElementCount !== count) {
      this.lines.replaceChildren(...Array.from({ length: count }, (_, index) => element('span', {}, String(index + 1))));
    }
    const wrong = new Set(this.problems.map(({ start }) => text.slice(0, start).split('\n').length - 1));
    for (const [index, line] of [...this.lines.children].entries()) line.classList.toggle('wrong', wrong.has(index));
  }

  /** Returns the rectangle of the character at an offset on the screen. */
  rectangle(offset) {
    const walker = document.createTreeWalker(this.colours, NodeFilter.SHOW_TEXT);
    let left = offset;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (left < node.length) {
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, left + 1);
        // The end of a line has a rectangle on both lines. The cursor is on the first line.
        return range.getClientRects()[0] ?? this.colours.getBoundingClientRect();
      }
      left -= node.length;
    }
    return this.colours.getBoundingClientRect();
  }

  /** Scrolls until the cursor is visible. */
  revealCaret() {
    if (document.activeElement !== this.field) return;
    const view = this.field.parentElement.parentElement;
    const caret = this.rectangle(this.caret);
    const bounds = view.getBoundingClientRect();
    const gutter = this.lines.offsetWidth;
    if (caret.top < bounds.top) view.scrollTop -= bounds.top - caret.top;
    else if (caret.bottom > bounds.bottom) view.scrollTop += caret.bottom - bounds.bottom;
    if (caret.left < bounds.left + gutter) view.scrollLeft -= bounds.left + gutter - caret.left + 20;
    else if (caret.left > bounds.right - 20) view.scrollLeft += caret.left - bounds.right + 40;
  }

  keyDown(event) {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Escape') {
      this.isLeaving = true;
      return;
    }
    const isLeaving = this.isLeaving && event.key === 'Tab';
    if (event.key !== 'Shift') this.isLeaving = false;
    if (isLeaving || event.ctrlKey || event.metaKey || event.altKey) return;
    const edit = typingEdit(this.text, this.field.selectionStart, this.field.selectionEnd, event);
    if (!edit) return;
    event.preventDefault();
    this.apply(edit);
  }

  apply({ start, end, text, selection }) {
    if (text !== null) this.replace(start, end, text);
    this.field.setSelectionRange(...selection);
  }
}
