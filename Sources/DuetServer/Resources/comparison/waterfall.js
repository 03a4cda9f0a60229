import { element } from '../explorer/element.js';
import { coloured, jsonPieces } from '../explorer/highlight.js';
import { layOutJSON } from '../explorer/json.js';
import { duration, statementCount, timingView } from '../explorer/timing.js';

/** Fields of an answer that caches go by. */
const SHOWN_FIELDS = ['Cache-Control', 'ETag', 'Surrogate-Key', 'Vary', 'Content-Encoding', 'Link'];
/** Longer answers are not coloured: a page with an element for each of their tokens is slow. */
const LONGEST_COLOURED = 50_000;
/** Longer ones are cut; curl has all. */
const LONGEST_SHOWN = 500_000;

/** What has become of a hash, in words. */
const PERSISTED = { miss: 'hash unknown', stored: 'hash stored', hit: 'hash known' };

/**
 * A list with a bar for each round trip, as long as it took; opened, it shows the answer.
 *
 * @param {RoundTrip[]} trips
 * @param {number} scale milliseconds that are as long as the list is wide
 */
export function waterfall(trips, scale) {
  const origin = Math.min(...trips.map(({ start }) => start));
  return trips.map((trip) => {
    const summary = element(
      'summary', {},
      element('span', { class: 'trip-request' }, `${trip.request.method} ${decoded(trip.request.target)}`),
      ' ',
      element('span', { class: 'trip-facts' }, facts(trip)),
      bar(trip, origin, scale),
    );
    const details = element('details', { class: trip.status < 400 ? 'trip' : 'trip trip-wrong' }, summary);
    // Most are never opened.
    details.addEventListener('toggle', () => details.append(...answerOf(trip)), { once: true });
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
function bar({ start, end, answered }, origin, scale) {
  const waiting = element('span', { class: 'bar-waiting' });
  const receiving = element('span', { class: 'bar-receiving' });
  const turn = answered ?? end;
  const share = (milliseconds) => `${((100 * milliseconds) / scale).toFixed(3)}%`;
  waiting.style.marginInlineStart = share(start - origin);
  waiting.style.width = share(turn - start);
  receiving.style.width = share(end - turn);
  return element('span', { class: 'bar', 'aria-hidden': 'true' }, waiting, receiving);
}

function answerOf({ metrics, headers, text, isNotModified, request }) {
  const fields = SHOWN_FIELDS.filter((name) => headers.has(name));
  const shown = layOutJSON(text.slice(0, LONGEST_SHOWN));
  return [
    ...timingView(metrics),
    element('dl', { class: 'trip-fields' }, ...fields.map((name) => element('div', {}, element('dt', {}, name), element('dd', {}, headers.get(name))))),
    isNotModified ? element('p', { class: 'help' }, 'Nothing came but these fields; this is the answer that was known.') : null,
    text.length > LONGEST_SHOWN ? element('p', { class: 'help' }, `These are the first ${LONGEST_SHOWN.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters.`) : null,
    element(
      'pre', { class: 'trip-body', tabindex: '0', role: 'region', 'aria-label': `Answer to ${request.method} ${request.target.split('?')[0]}` },
      text.length > LONGEST_COLOURED ? shown : coloured(jsonPieces(shown)),
    ),
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
