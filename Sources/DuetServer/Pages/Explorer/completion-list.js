import { complete } from './completion.js';
import { element } from './element.js';

/** Matches the text before the cursor if the list opens before a name is typed, for example after `@`. */
const OPENED_BY_CHARACTER = /[@$(:]\s?$|\.\.\.$/;

/**
 * The list of completions below the cursor of an editor. It is a list box (WAI-ARIA combobox pattern). The editor's
 * field retains the focus and refers to the active option.
 */
export class CompletionList {
  /** @param {function(): Schema|null} schema a function that returns the schema; null until it is loaded */
  constructor(editor, schema) {
    this.editor = editor;
    this.schema = schema;
    this.items = [];
    this.active = 0;
    this.list = element('ul', { role: 'listbox', id: 'completions', 'aria-label': 'Completions' });
    this.about = element('p', { class: 'completion-about' });
    this.box = element('div', { class: 'completion', hidden: true }, this.list, this.about);
    document.body.append(this.box);
    const { field } = editor;
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-controls', 'completions');
    field.setAttribute('aria-haspopup', 'listbox');
    field.addEventListener('keydown', (event) => this.keyDown(event), { capture: true });
    field.addEventListener('input', (event) => this.typed(event));
    field.addEventListener('blur', () => this.close());
    field.addEventListener('pointerdown', () => this.close());
    field.parentElement.parentElement.addEventListener('scroll', () => this.close());
    // A choice with the mouse must not move the focus.
    this.box.addEventListener('pointerdown', (event) => event.preventDefault());
    this.list.addEventListener('click', (event) => {
      const option = event.target.closest('[role=option]');
      if (option) this.accept([...this.list.children].indexOf(option));
    });
  }

  get isOpen() {
    return !this.box.hidden;
  }

  typed(event) {
    if (event.inputType !== 'insertText' && event.inputType !== 'deleteContentBackward') {
      this.close();
      return;
    }
    // The editor can insert a closing bracket in addition to the typed character. This function runs after the bracket
    // has been inserted and the cursor is before it.
    queueMicrotask(() => {
      const before = this.editor.text.slice(0, this.editor.caret);
      const isName = /[_A-Za-z]\w*$/.test(before);
      if (isName ? event.inputType === 'insertText' || this.isOpen : event.inputType === 'insertText' && OPENED_BY_CHARACTER.test(before)) this.open();
      else this.close();
    });
  }

  keyDown(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === ' ') {
      event.preventDefault();
      this.open();
      return;
    }
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) {
      if (this.isOpen && event.key === 'Enter') this.close();
      return;
    }
    const last = this.items.length - 1;
    const page = 8;
    const keys = {
      ArrowDown: () => this.activate(this.active === last ? 0 : this.active + 1),
      ArrowUp: () => this.activate(this.active === 0 ? last : this.active - 1),
      PageDown: () => this.activate(Math.min(last, this.active + page)),
      PageUp: () => this.activate(Math.max(0, this.active - page)),
      Enter: () => this.accept(this.active),
      Tab: () => this.accept(this.active),
      Escape: () => this.close(),
    };
    if (event.shiftKey || !(event.key in keys)) {
      if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) this.close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  open() {
    const schema = this.schema();
    if (!schema) return;
    const { items, start, end } = complete(this.editor.text, this.editor.caret, schema);
    if (items.length === 0) {
      this.close();
      return;
    }
    Object.assign(this, { items, start, end });
    this.list.replaceChildren(...items.map((item, index) => this.option(item, index)));
    this.box.hidden = false;
    this.activate(0);
    this.place();
  }

  option({ label, detail, deprecated }, index) {
    return element(
      'li',
      { role: 'option', id: `completion-${index}`, class: deprecated && 'deprecated' },
      element('span', {}, label),
      detail ? element('span', { class: 'completion-detail' }, detail) : null,
    );
  }

  activate(index) {
    this.active = index;
    for (const [at, option] of [...this.list.children].entries()) option.setAttribute('aria-selected', String(at === index));
    const option = this.list.children[index];
    option.scrollIntoView({ block: 'nearest' });
    this.editor.field.setAttribute('aria-activedescendant', option.id);
    this.about.textContent = this.items[index].description ?? '';
    this.about.hidden = !this.items[index].description;
  }

  /** Places the list below the name at the cursor, or above it if there is not enough space. */
  place() {
    const { left, top, bottom } = this.editor.rectangle(this.start);
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const isBelow = bottom + height <= window.innerHeight || top < height;
    this.box.style.left = `${Math.max(4, Math.min(left, window.innerWidth - width - 4)) + window.scrollX}px`;
    this.box.style.top = `${(isBelow ? bottom + 2 : top - height - 2) + window.scrollY}px`;
  }

  accept(index) {
    const { insert, caret } = this.items[index];
    const { start, end } = this;
    this.close();
    this.editor.replace(start, end, insert, start + (caret ?? insert.length));
    // After `name: `, the values are proposed.
    if (insert.endsWith(': ')) this.open();
  }

  close() {
    this.box.hidden = true;
    this.items = [];
    this.list.replaceChildren();
    this.editor.field.removeAttribute('aria-activedescendant');
  }
}
