/**
 * The lexical grammar of GraphQL (specification, section 2.1), for incomplete text. Text that is not a token becomes a
 * token of the kind `invalid`, so that each character belongs to a token.
 *
 * A token is `{kind, text, start, end}`. The kinds are `punctuator`, `name`, `integer`, `float`, `string`,
 * `blockString`, `comment` and `invalid`. Commas and white space are not tokens.
 */

const grammar = new RegExp(
  [
    '(?<ignored>[\\s,\\uFEFF]+)',
    '(?<comment>#[^\\r\\n]*)',
    '(?<punctuator>\\.\\.\\.|[!$&()*:=@\\[\\]{|}])',
    '(?<name>[_A-Za-z][_0-9A-Za-z]*)',
    '(?<float>-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)(?![._0-9A-Za-z]))',
    '(?<integer>-?(?:0|[1-9][0-9]*)(?![._0-9A-Za-z]))',
    '(?<blockString>"""(?:\\\\"""|[^])*?""")',
    '(?<unended>"""[^]*)',
    '(?<string>"(?:\\\\[^\\r\\n]|[^"\\\\\\r\\n])*")',
    '(?<invalid>"[^\\r\\n]*|-?[._0-9A-Za-z]+|[^])',
  ].join('|'),
  'gu',
);

/** Returns all tokens of a text, including comments. */
export function tokenize(text) {
  const tokens = [];
  for (const match of text.matchAll(grammar)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (kind === 'ignored') continue;
    tokens.push({
      kind: kind === 'unended' ? 'invalid' : kind,
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return tokens;
}

/** Returns the line and the column of an offset. Both begin at 1. */
export function position(text, offset) {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

/** Returns the offset of a line and a column. Both begin at 1. */
export function offset(text, { line, column }) {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, before + column - 1);
}
