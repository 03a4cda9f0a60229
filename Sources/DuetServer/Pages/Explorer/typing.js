/**
 * Returns the edit for a key that does not only insert its character: a key that indents lines, or that inserts, skips
 * or removes a bracket or quote of a pair.
 *
 * @param {string} text
 * @param {number} start the start of the selection
 * @param {number} end the end of the selection
 * @param {{key: string, shiftKey: boolean}} event
 * @returns {{start: number, end: number, text: string|null, selection: [number, number]}|null} the replaced range, its
 *   new text and the new selection. `text` is null if only the cursor moves. The result is null if the key has its
 *   default behavior
 */
export function typingEdit(text, start, end, { key, shiftKey }) {
  if (key === 'Tab') return start === end && !shiftKey ? indentHere(text, start) : indentLines(text, start, end, shiftKey);
  if (key === 'Enter') return breakLine(text, start, end);
  if (key === 'Backspace') return start === end ? removePair(text, start) : null;
  if (key in PAIRS || CLOSING.includes(key)) return pair(text, start, end, key);
  return null;
}

const INDENTATION = '  ';
const PAIRS = { '{': '}', '(': ')', '[': ']', '"': '"' };
const CLOSING = ['}', ')', ']'];

function put(start, end, text, caret = start + text.length) {
  return { start, end, text, selection: [caret, caret] };
}

function indentHere(text, caret) {
  return put(caret, caret, INDENTATION);
}

function indentLines(text, start, end, isBack) {
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const lines = text.slice(first, end).split('\n');
  const changed = lines.map((line) => (isBack ? line.replace(/^ {1,2}/, '') : INDENTATION + line));
  const replacement = changed.join('\n');
  const move = changed[0].length - lines[0].length;
  return { start: first, end, text: replacement, selection: [Math.max(first, start + move), first + replacement.length] };
}

/**
 * Breaks a line. The new line has the indentation of the previous line, and one more level after an opening bracket. If
 * the closing bracket of this bracket follows the cursor, it moves to a further line.
 */
function breakLine(text, start, end) {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const indentation = line.match(/^ */)[0];
  const before = text[start - 1];
  if (!(before in PAIRS) || before === '"') return put(start, end, `\n${indentation}`);
  const inner = `\n${indentation}${INDENTATION}`;
  const closes = text.slice(end).match(/^[ \t]*/)[0];
  if (text[end + closes.length] !== PAIRS[before]) return put(start, end, inner);
  return put(start, end + closes.length, `${inner}\n${indentation}`, start + inner.length);
}

function removePair(text, caret) {
  const before = text[caret - 1];
  return before in PAIRS && text[caret] === PAIRS[before] ? put(caret - 1, caret + 1, '') : null;
}

function pair(text, start, end, key) {
  // The cursor moves over an existing closing character.
  if (start === end && text[start] === key && (CLOSING.includes(key) || key === '"')) {
    return { start, end, text: null, selection: [start + 1, start + 1] };
  }
  if (key === '}' && start === end) return outdentedBrace(text, start);
  const closing = PAIRS[key];
  if (!closing) return null;
  if (start !== end) return { start, end, text: key + text.slice(start, end) + closing, selection: [start + 1, end + 1] };
  const after = text[start] ?? '\n';
  // Before a word or inside of a string, the user wants a single character.
  if (!/[\s)\]},]/.test(after)) return null;
  if (key === '"' && /["\w\\]/.test(text[start - 1] ?? '')) return null;
  return put(start, end, key + closing, start + 1);
}

/** Returns the edit for a closing brace on an empty line. The brace is indented one level less than the line. */
function outdentedBrace(text, caret) {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1;
  const line = text.slice(lineStart, caret);
  if (line === '' || line.trim() !== '') return null;
  return put(lineStart, caret, `${line.slice(INDENTATION.length)}}`);
}
