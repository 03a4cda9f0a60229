import { byId } from './element.js';

/**
 * Copies a text. If the browser does not allow this, shows the text in a dialog and selects it there.
 *
 * @param {string} what the subject of the message, such as "The curl command"
 */
export async function copy(text, what, announce) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} is in the clipboard.`);
  } catch {
    showToCopy(text, what);
  }
}

function showToCopy(text, what) {
  const dialog = byId('copy-dialog');
  const field = byId('copy-text');
  byId('copy-title').textContent = `${what}, to copy by hand`;
  field.value = text;
  dialog.showModal();
  field.focus();
  field.select();
}

byId('copy-close').addEventListener('click', () => byId('copy-dialog').close());
