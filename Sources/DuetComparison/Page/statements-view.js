import { fetchAsCaller } from '../explorer/access-token.js';
import { element } from '../explorer/element.js';
import { coloured } from '../explorer/highlight.js';
import { duration, statementCount, statements } from '../explorer/timing.js';
import { sqlPieces } from './sql.js';

/** True if the server does not store statements. Then the page does not request them again. */
let isOff = false;

/**
 * Returns an element with the number of a request's statements. When it is opened, it shows their SQL, if the server
 * stores it (`--debug-statements`).
 *
 * @param {Exchange} exchange
 * @returns {Element|null} null for a request without statements
 */
export function statementsView({ headers, metrics }) {
  if (statements(metrics) === 0) return null;
  // A response that is sent while it is generated does not report the number of statements.
  const counted = statementCount(metrics);
  const view = element('details', { class: 'statements' }, element('summary', {}, counted ? `SQL (${counted})` : 'SQL'));
  const show = async () => view.append(...(await content(headers.get('X-Request-ID'))));
  view.addEventListener('toggle', show, { once: true });
  return view;
}

/** Returns elements with the statements of an earlier request, or with the reason why they are missing. */
async function content(requestID) {
  const help = (text) => [element('p', { class: 'help' }, text)];
  try {
    const response = isOff ? null : await fetchAsCaller(`/debug/requests/${encodeURIComponent(requestID)}/statements`, { cache: 'no-store', credentials: 'same-origin' });
    const answer = await response?.json();
    if (response?.ok) return list(answer);
    isOff ||= answer.code === 'statements-not-kept';
    return help(isOff ? 'The server shows SQL if it is started with --debug-statements (DUET_DEBUG_STATEMENTS=true).' : `The SQL is not available: ${answer.detail}.`);
  } catch (error) {
    return help(`The SQL is not available: ${error.message}.`);
  }
}

function list({ count, statements: kept }) {
  const items = kept.map((statement, index) => element(
    'li', {}, element('p', { class: 'help' }, facts(statement)),
    element(
      'pre', { class: 'sql', tabindex: '0', role: 'region', 'aria-label': `Statement ${index + 1}` },
      coloured(sqlPieces(statement.sql)),
    ),
  ));
  const more = kept.length < count ? `The request ran ${count.toLocaleString('en')} statements. The server stores only these.` : null;
  return [element('ol', {}, ...items), more || count === 0 ? element('p', { class: 'help' }, more ?? 'The request ran no statements.') : null].filter(Boolean);
}

function facts({ parameters, rows, milliseconds, failed }) {
  return [
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`, duration(milliseconds),
    `${parameters.toLocaleString('en')} ${parameters === 1 ? 'value' : 'values'} bound`, failed ? 'failed' : null,
  ].filter(Boolean).join(' · ');
}
