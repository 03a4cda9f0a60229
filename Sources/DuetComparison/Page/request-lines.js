import { jsonPieces } from '../explorer/highlight.js';
import { problemInJSON } from '../explorer/json.js';

/**
 * The format of requests in lines of text. A line contains a method, a target and optionally a JSON body, or `Accept:`
 * with a media type other than JSON. The requests of adjacent lines are sent concurrently. An empty line waits for the
 * responses to the previous lines.
 */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const LINE = /^(?<lead>\s*)(?<method>\S+)(?<gap>\s*)(?<target>\S*)(?<space>\s*)(?<body>.*)$/;
const ACCEPT = /^(?<name>Accept:)(?<gap>\s*)(?<type>[\w.+-]+\/[\w.+-]+)\s*$/;

/** Returns the start and the parts of each line; `parts` is null for an empty line. */
function linesOf(text) {
  let start = 0;
  return text.split('\n').map((line) => {
    const found = { start, line, parts: line.match(LINE)?.groups ?? null };
    start += line.length + 1;
    return found;
  });
}

/**
 * Returns the problem of a line, `{message, start, end}` with offsets from the line's start; null if the line is valid.
 */
function problemOf({ lead, method, gap, target, space, body }) {
  const methodEnd = lead.length + method.length;
  if (!METHODS.includes(method)) return { message: `A line begins with ${METHODS.join(', ')}.`, start: lead.length, end: methodEnd };
  const targetStart = methodEnd + gap.length;
  const targetEnd = targetStart + target.length;
  // An address with two slashes refers to another server.
  if (!/^\/(?!\/)/.test(target)) return { message: 'After the method, write an address of this server. It begins with one slash.', start: targetStart, end: targetEnd };
  const problem = body === '' || ACCEPT.test(body) ? null : problemInJSON(body);
  const bodyStart = targetEnd + space.length;
  return problem && { message: problem.message, start: bodyStart + problem.start, end: bodyStart + problem.end };
}

/**
 * Reads the requests of a text.
 *
 * @returns {{rounds: {method: string, target: string, headers: Object, body: string|undefined}[][],
 *   problems: {message: string, start: number, end: number}[]}} a round contains requests that are sent concurrently
 */
export function readRequestLines(text) {
  const problems = [];
  const rounds = [[]];
  for (const { start, parts } of linesOf(text)) {
    if (!parts) {
      rounds.push([]);
      continue;
    }
    const problem = problemOf(parts);
    if (problem) problems.push({ message: problem.message, start: start + problem.start, end: start + problem.end });
    const { method, target } = parts;
    const type = parts.body.match(ACCEPT)?.groups.type;
    const body = type ? undefined : parts.body.trim() || undefined;
    rounds.at(-1).push({ method, target, headers: { Accept: type ?? 'application/json', ...(body && { 'Content-Type': 'application/json' }) }, body });
  }
  return { rounds: rounds.filter((round) => round.length > 0), problems };
}

/** Returns the text in colored pieces, for an editor. */
export function requestPieces(text) {
  return linesOf(text).flatMap(({ line, parts }, index) => {
    const pieces = index > 0 ? [{ text: '\n', style: null }] : [];
    if (!parts) return [...pieces, { text: line, style: null }];
    const { lead, method, gap, target, space, body } = parts;
    const [path, ...query] = target.split(/(?=[?&])/);
    return [
      ...pieces, { text: lead, style: null }, { text: method, style: 'keyword' }, { text: gap, style: null },
      { text: path ?? '', style: 'field' }, ...query.map((parameter) => ({ text: parameter, style: 'argument' })),
      { text: space, style: null }, ...bodyPieces(body),
    ];
  });
}

function bodyPieces(body) {
  const { name, gap } = body.match(ACCEPT)?.groups ?? {};
  if (!name) return jsonPieces(body);
  return [{ text: name, style: 'keyword' }, { text: gap, style: null }, { text: body.slice(name.length + gap.length), style: 'string' }];
}
