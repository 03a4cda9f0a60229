import { byId, element } from './element.js';
import { parse } from './parser.js';
import { asksForParts, operationAt, operations } from './syntax-tree.js';

/** A control that selects the operation to run: the operation at the cursor, or a fixed operation. */
export class OperationPicker {
  constructor(editor) {
    this.editor = editor;
    this.select = byId('operation');
    this.label = byId('operation-label');
    this.document = null;
    this.update();
  }

  /** The selected name; empty if the cursor determines the operation. */
  get chosen() {
    return this.select.value;
  }

  set chosen(name) {
    this.select.value = [...this.select.options].some((option) => option.value === name) ? name : '';
  }

  /** Parses the document again. If the document is invalid, the selection does not change. */
  update() {
    this.document = parsed(this.editor.text);
    if (!this.document) return;
    const names = operations(this.document).map(({ name }) => name?.text).filter(Boolean);
    const { chosen } = this;
    this.label.hidden = operations(this.document).length < 2;
    this.select.replaceChildren(
      element('option', { value: '' }, 'at the cursor'), ...names.map((name) => element('option', { value: name }, name)),
    );
    this.chosen = this.label.hidden ? '' : chosen;
  }

  /** The name to send; null if no selection is needed. */
  get operationName() {
    if (!this.document) return null;
    if (this.chosen) return this.chosen;
    return operations(this.document).length > 1 ? operationAt(this.document, this.editor.caret)?.name?.text ?? null : null;
  }

  get asksForParts() {
    return this.document !== null && asksForParts(this.document);
  }
}

function parsed(text) {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
