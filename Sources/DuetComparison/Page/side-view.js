import { byId, element } from '../explorer/element.js';
import { span } from './exchange.js';
import { waterfall } from './waterfall.js';

/** The time in milliseconds between two additions of exchanges to the page. */
const PAUSE = 100;

/** One side of the page, REST or GraphQL: its status, its problems and its exchanges. */
export class SideView {
  /** @param {string} side the prefix of the identifiers of its elements */
  constructor(side) {
    this.region = byId(`${side}-side`);
    this.status = byId(`${side}-status`);
    this.problems = byId(`${side}-answers-problems`);
    this.exchanges = byId(`${side}-exchanges`);
    /** The exchanges that are not shown yet, and the timer after which they are shown. */
    this.pending = [];
    this.timer = null;
  }

  /** Restores the state before the first run. */
  clear() {
    this.idle();
    this.say('Not run yet.', 'idle');
    this.showProblems([]);
    this.discardPending();
    this.exchanges.replaceChildren();
    this.arrived = [];
  }

  waiting() {
    this.clear();
    this.region.setAttribute('aria-busy', 'true');
    this.say('Waiting for the response…', 'waiting');
  }

  /** Shows that no run is in progress. */
  idle() {
    this.region.setAttribute('aria-busy', 'false');
  }

  /** Shows the reason for a missing response. */
  failed(reason) {
    this.showPending();
    this.say(reason, 'failed');
  }

  /**
   * Appends exchanges after a pause, together with those that arrive in the pause. Existing elements are not replaced.
   * A run of many requests takes much longer if each exchange changes the page.
   *
   * @param {Exchange[]} exchanges
   */
  add(exchanges) {
    this.pending.push(...exchanges);
    this.timer ??= setTimeout(() => this.showPending(), PAUSE);
  }

  showPending() {
    const exchanges = this.discardPending();
    if (exchanges.length === 0) return;
    this.arrived.push(...exchanges);
    this.tell(this.arrived);
    this.exchanges.append(...this.items(exchanges, this.arrived, span(this.arrived), false, null));
  }

  /** Removes and returns the exchanges that are not shown yet. */
  discardPending() {
    clearTimeout(this.timer);
    this.timer = null;
    return this.pending.splice(0);
  }

  /**
   * Shows all exchanges.
   *
   * @param {Exchange[]} exchanges
   * @param {number} scale the time in milliseconds for the full width of the list
   * @param {boolean} areAll true if no more exchanges follow
   * @param {{marks: Marks, other: string}|null} comparison the argument of `answerView`
   */
  show(exchanges, scale = span(exchanges), areAll = false, comparison = null) {
    this.discardPending();
    this.arrived = exchanges;
    this.tell(exchanges);
    this.exchanges.replaceChildren(...this.items(exchanges, exchanges, scale, areAll, comparison));
  }

  /** Returns list items for `exchanges`. `arrived` contains all completed exchanges, including these. */
  items(exchanges, arrived, scale, areAll, comparison) {
    this.exchanges.style.setProperty('--scale', String(scale || 1));
    return waterfall(exchanges, Math.min(...arrived.map(({ start }) => start)), areAll, comparison);
  }

  tell(exchanges) {
    const problems = exchanges.flatMap(problemsOf);
    const statuses = [...new Set(exchanges.map(({ status }) => status))].join(', ');
    this.say(`Status ${statuses}`, problems.length === 0 ? 'fine' : 'wrong');
    this.showProblems(problems);
  }

  say(text, state) {
    this.status.textContent = text;
    this.status.dataset.state = state;
  }

  showProblems(problems) {
    this.problems.hidden = problems.length === 0;
    this.problems.replaceChildren(...problems.slice(0, 20).map((problem) => element('li', {}, problem)));
  }
}

/**
 * Returns the messages of a response's errors: the detail of a problem (RFC 9457), or the errors of GraphQL. An unknown
 * hash is not an error.
 */
function problemsOf({ json, status, persisted }) {
  if (persisted === 'miss') return [];
  if (Array.isArray(json?.errors)) return json.errors.map(({ message, path }) => `${message}${path ? ` (at ${path.join('.')})` : ''}`);
  if (status < 400) return [];
  return [typeof json?.detail === 'string' ? json.detail : `The server returned ${status}.`];
}
