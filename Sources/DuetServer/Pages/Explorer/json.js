/**
 * Functions for JSON (RFC 8259) as text: they find its tokens and the first syntax error, and format it. Formatting
 * changes only white space. To parse the values and write them again could change numbers and strings.
 */

const grammar =
  /(?<space>[ \t\r\n]+)|(?<string>"(?:\\["\\\/bfnrt]|\\u[0-9a-fA-F]{4}|[^"\\\u0000-\u001F])*")|(?<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.]))|(?<literal>(?:true|false|null)(?!\w))|(?<punctuator>[{}[\]:,])|(?<invalid>"[^\r\n]*|[\w.+-]+|[^])/gu;

/** Returns tokens `{kind, text, start, end}`. A string before a colon has the kind `key`. */
export function tokenizeJSON(text) {
  const tokens = [];
  for (const match of text.matchAll(grammar)) {
    const { groups, index } = match;
    if (groups.space !== undefined) continue;
    const kind = groups.string !== undefined ? 'string' : groups.number !== undefined ? 'number' : groups.literal !== undefined ? 'literal' : groups.punctuator !== undefined ? 'punctuator' : 'invalid';
    if (kind === 'punctuator' && match[0] === ':' && tokens.at(-1)?.kind === 'string') tokens.at(-1).kind = 'key';
    tokens.push({ kind, text: match[0], start: index, end: index + match[0].length });
  }
  return tokens;
}

/** Returns the first syntax error of a JSON text, `{message, start, end}`; `null` if the text is valid. */
export function problemInJSON(text) {
  const tokens = tokenizeJSON(text);
  let index = 0;
  const at = (wanted) => tokens[index]?.kind === 'punctuator' && tokens[index].text === wanted;
  const fail = (wanted) => {
    const token = tokens[index] ?? { start: text.length, end: text.length, text: '' };
    const found = token.text === '' ? 'the text ends' : `found “${token.text.slice(0, 20)}”`;
    throw { message: `Expected ${wanted}, but ${found}.`, start: token.start, end: token.end };
  };
  const list = (closing, item) => {
    index += 1;
    if (at(closing)) {
      index += 1;
      return;
    }
    for (;;) {
      item();
      if (at(closing)) break;
      if (!at(',')) fail(`“,” or “${closing}”`);
      index += 1;
    }
    index += 1;
  };
  const value = () => {
    const kind = tokens[index]?.kind;
    if (at('[')) list(']', value);
    else if (at('{')) list('}', member);
    else if (kind === 'string' || kind === 'number' || kind === 'literal') index += 1;
    else fail('a value');
  };
  const member = () => {
    const kind = tokens[index]?.kind;
    if (kind !== 'key' && kind !== 'string') fail('a name in double quotes');
    index += 1;
    if (!at(':')) fail('“:”');
    index += 1;
    value();
  };
  try {
    value();
    if (index < tokens.length) fail('the end of the text');
    return null;
  } catch (problem) {
    if (problem instanceof Error) throw problem;
    return problem;
  }
}

/** Returns the formatted text with two spaces for each level. Empty objects and arrays remain on one line. */
export function layOutJSON(text) {
  const parts = [];
  let indentation = '\n';
  let previous = '';
  for (const { kind, text: token } of tokenizeJSON(text)) {
    const isPunctuator = kind === 'punctuator';
    if (isPunctuator && (token === '}' || token === ']')) {
      indentation = indentation.slice(0, -2);
      if (previous !== '{' && previous !== '[') parts.push(indentation);
    } else if (previous === '{' || previous === '[' || previous === ',') {
      parts.push(indentation);
    } else if (previous === ':') {
      parts.push(' ');
    }
    parts.push(token);
    if (isPunctuator && (token === '{' || token === '[')) indentation += '  ';
    previous = isPunctuator ? token : '';
  }
  return parts.join('');
}
