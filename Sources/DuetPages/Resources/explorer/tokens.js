/**
 * The lexical grammar of GraphQL (specification, section 2.1), for text that is still being typed: what is no token
 * becomes one of the kind `invalid`, so that every character has its place.
 *
 * A token is `{kind, text, start, end}`; kinds are `punctuator`, `name`, `integer`, `float`, `string`, `blockString`,
 * `comment` and `invalid`. Commas and white space are left out.
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

/** All tokens of a text, comments too. */
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

/** Line and column of an offset, both counted from 1. */
export function position(text, offset) {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

/** The offset of a line and a column, both counted from 1. */
export function offset(text, { line, column }) {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, before + column - 1);
}
