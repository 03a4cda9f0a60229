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
 * Returns list items with a bar for each round trip. The length of the bar is proportional to the time. An opened item
 * shows the response and its origin. When all responses are complete, the first items are open. The list has the
 * property `--scale`, the time in milliseconds for its full width.
 *
 * @param {RoundTrip[]} trips
 * @param {number} origin the start of the first round trip of the list
 * @param {boolean} areAll true if no more round trips follow
 * @param {{marks: Marks, other: string}|null} comparison the argument of `answerView`
 */
export function waterfall(trips, origin, areAll, comparison) {
  let characters = 0;
  return trips.map((trip, index) => {
    characters += trip.text.length;
    const open = areAll && (index === 0 || characters <= OPENED);
    const summary = element(
      'summary', {},
      element('span', { class: 'trip-request' }, `${trip.request.method} ${decoded(trip.request.target)}`),
      ' ',
      element('span', { class: 'trip-facts' }, facts(trip)),
      bar(trip, origin),
    );
    const details = element('details', { class: trip.status < 400 ? 'trip' : 'trip trip-wrong', open }, summary);
    const show = () => details.append(...answerView(trip, comparison), ...origins(trip));
    if (open) show();
    else details.addEventListener('toggle', show, { once: true });
    return element('li', {}, details);
  });
}

function facts(trip) {
  const { status, start, end, received, metrics, persisted, isNotModified } = trip;
  return [
    isNotModified ? '304 not modified' : String(status), PERSISTED[persisted], duration(end - start),
    `${received.encoded.toLocaleString('en')} bytes`,
    received.encoded < received.plain ? `${received.plain.toLocaleString('en')} decoded` : null,
    statementCount(metrics),
  ].filter(Boolean).join(' · ');
}

/**
 * Returns a bar between the side's start and the end of the scale: the time until the first byte, and the time of
 * receiving.
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
function origins(trip) {
  return [...timingView(trip.metrics), statementsView(trip), headerFields(trip.headers)].filter(Boolean);
}

/** Returns an address in readable form. */
function decoded(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
