import { element } from '../explorer/element.js';
import { duration, statementCount, timingView } from '../explorer/timing.js';
import { answerView } from './answer-view.js';
import { statementsView } from './statements-view.js';

/** Fields of an answer that caches go by. */
const SHOWN_FIELDS = ['Cache-Control', 'ETag', 'Surrogate-Key', 'Vary', 'Content-Encoding', 'Link'];
/** As many characters of answers are shown at once; the first answer is whatever its length. */
const OPENED = 10_000;

/** What has become of a hash, in words. */
const PERSISTED = { miss: 'hash unknown', stored: 'hash stored', hit: 'hash known' };

/**
 * The items of a list with a bar for each round trip, as long as it took; opened, it shows the answer and how it came about. When all
 * are there the first ones are open. The list has in `--scale` how many milliseconds are as long as it is wide.
 *
 * @param {RoundTrip[]} trips
 * @param {number} origin when the first round trip of the list began
 * @param {boolean} areAll whether no more will come
 * @param {{marks: Marks, other: string}|null} comparison as for `answerView`
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
    isNotModified ? '304 unchanged' : String(status), PERSISTED[persisted], duration(end - start),
    `${received.encoded.toLocaleString('en')} bytes`,
    received.encoded < received.plain ? `${received.plain.toLocaleString('en')} unpacked` : null,
    statementCount(metrics),
  ].filter(Boolean).join(' · ');
}

/** Where it lies between the side's first moment and the end of the scale: waiting for the answer, then receiving it. */
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

/** How an answer came about, and what caches are told of it. */
function origins(trip) {
  const { metrics, headers } = trip;
  const fields = SHOWN_FIELDS.filter((name) => headers.has(name));
  return [
    ...timingView(metrics),
    statementsView(trip),
    element('dl', { class: 'trip-fields' }, ...fields.map((name) => element('div', {}, element('dt', {}, name), element('dd', {}, headers.get(name))))),
  ].filter(Boolean);
}

/** An address as it is read best. */
function decoded(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
