const GRAMMAR = /(?<space>\s+)|(?<string>'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)|(?<word>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)|(?<mark>[^])/gu;
const STYLES = { string: 'string', number: 'number' };

/** Keywords that begin a line: the clauses of a statement, and joins. */
const LINES = new Set(['SELECT', 'FROM', 'WHERE', 'GROUP', 'HAVING', 'WINDOW', 'ORDER', 'LIMIT', 'UNION', 'SET', 'VALUES', 'LEFT', 'INNER', 'CROSS', 'JOIN']);
/** The tokens after which these keywords remain on the same line. */
const LEADS = new Set(['(', 'DELETE', 'LEFT', 'INNER', 'CROSS', 'OUTER']);

function tokensOf(sql) {
  const tokens = [];
  let isSpaced = false;
  for (const { 0: text, groups } of sql.matchAll(GRAMMAR)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    if (kind !== 'space') tokens.push({ kind, text, isSpaced });
    isSpaced = kind === 'space';
  }
  return tokens;
}

/**
 * Returns a formatted statement. Each clause and each condition begins a line. A subquery is indented by two more
 * spaces. Only white space changes.
 *
 * @returns {Piece[]}
 */
export function sqlPieces(sql) {
  const tokens = tokensOf(sql);
  const pieces = [];
  /** The open parentheses; true for a parenthesis that contains a query. */
  const brackets = [];
  const line = (further = 0) => `\n${'  '.repeat(brackets.filter(Boolean).length + further)}`;
  let isBetween = false;
  tokens.forEach(({ kind, text, isSpaced }, index) => {
    const previous = tokens[index - 1]?.text;
    let gap = isSpaced ? ' ' : '';
    if (text === ')') {
      if (brackets.pop()) gap = line();
    } else if (brackets.at(-1) !== false && index > 0) {
      if (previous === '(' || (LINES.has(text) && !LEADS.has(previous))) gap = line();
      else if (text === 'OR' || (text === 'AND' && !isBetween)) gap = line(1);
    }
    // The next AND is a part of BETWEEN.
    if (text === 'BETWEEN' || text === 'AND') isBetween = text === 'BETWEEN';
    if (text === '(') brackets.push(tokens[index + 1]?.text === 'SELECT');
    if (gap) pieces.push({ text: gap, style: null });
    const isKeyword = kind === 'word' && /^[A-Z][A-Z_]+$/.test(text);
    pieces.push({ text, style: isKeyword ? 'keyword' : text === '?' ? 'variable' : STYLES[kind] ?? null });
  });
  return pieces;
}
