import { element } from '../explorer/element.js';
import { duration, statementCount, timingView } from '../explorer/timing.js';
import { answerView } from './answer-view.js';
import { headerFields } from './header-fields.js';
import { statementsView } from './statements-view.js';

/** The maximum number of characters in the opened responses. The first response is always open. */
const OPENED = 10_000;

/** The descriptions of the results of a hash. */
const PERSISTED = { miss: 'hash unknown', stored: 'hash stored', hit: 'hash known' };

/**
 * Returns list items with a bar for each exchange. The length of the bar is proportional to the time. An opened item
 * shows the response, its timing, its SQL statements and its header fields. When all responses are complete, the first
 * items are open. The list has the property `--scale`, the time in milliseconds for its full width.
 *
 * @param {Exchange[]} exchanges
 * @param {number} origin the start of the first exchange of the list
 * @param {boolean} areAll true if no more exchanges follow
 * @param {{marks: Marks, other: string}|null} comparison the argument of `answerView`
 */
export function waterfall(exchanges, origin, areAll, comparison) {
  let characters = 0;
  return exchanges.map((exchange, index) => {
    characters += exchange.text.length;
    const open = areAll && (index === 0 || characters <= OPENED);
    const summary = element(
      'summary', {},
      element('span', { class: 'exchange-request' }, `${exchange.request.method} ${decoded(exchange.request.target)}`),
      ' ',
      element('span', { class: 'exchange-facts' }, facts(exchange)),
      bar(exchange, origin),
    );
    const details = element('details', { class: exchange.status < 400 ? 'exchange' : 'exchange exchange-wrong', open }, summary);
    const show = () => details.append(...answerView(exchange, comparison), ...origins(exchange));
    if (open) show();
    else details.addEventListener('toggle', show, { once: true });
    return element('li', {}, details);
  });
}

function facts(exchange) {
  const { status, start, end, received, metrics, persisted, isNotModified } = exchange;
  return [
    isNotModified ? '304 not modified' : String(status), PERSISTED[persisted], duration(end - start),
    `${received.encoded.toLocaleString('en')} bytes`,
    received.encoded < received.plain ? `${received.plain.toLocaleString('en')} decoded` : null,
    statementCount(metrics),
  ].filter(Boolean).join(' · ');
}

/**
 * Returns the bar of an exchange. The bar begins at the start of the exchange on the side's scale. Its two parts are
 * the time until the first byte, and the time of receiving the response.
 */
function bar({ start, end, answered }, origin) {
  const waiting = element('span', { class: 'bar-waiting' });
  const receiving = element('span', { class: 'bar-receiving' });
  const turn = answered ?? end;
  const share = (milliseconds) => `calc(${(100 * milliseconds).toFixed(3)}% / var(--scale))`;
  waiting.style.marginInlineStart = share(start - origin);
  waiting.style.width = share(turn - start);
  receiving.style.width = share(end - turn);
  return element('span', { class: 'bar', 'aria-hidden': 'true' }, waiting, receiving);
}

/** Returns the timing of a response, its statements, and its fields for caches. */
function origins(exchange) {
  return [...timingView(exchange.metrics), statementsView(exchange), headerFields(exchange.headers)].filter(Boolean);
}

/** Returns an address in readable form. */
function decoded(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
