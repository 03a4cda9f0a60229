import { byId, element } from '../explorer/element.js';
import { elapsed } from './cost-table.js';
import { waterfall } from './waterfall.js';

/** One side of the page: how it went, what was wrong, and the round trips. */
export class SideView {
  /** @param {string} side the first part of its elements' identifiers */
  constructor(side) {
    this.region = byId(`${side}-side`);
    this.status = byId(`${side}-status`);
    this.problems = byId(`${side}-answers-problems`);
    this.trips = byId(`${side}-trips`);
  }

  /** As before the first run. */
  clear() {
    this.region.setAttribute('aria-busy', 'false');
    this.say('Nothing has been run yet.', 'idle');
    this.showProblems([]);
    this.trips.replaceChildren();
  }

  waiting() {
    this.clear();
    this.region.setAttribute('aria-busy', 'true');
    this.say('Waiting for the answer…', 'waiting');
  }

  /** There is no answer, and why. */
  failed(reason) {
    this.region.setAttribute('aria-busy', 'false');
    this.say(reason, 'failed');
  }

  /**
   * @param {RoundTrip[]} trips
   * @param {number} scale milliseconds that are as long as the list is wide
   */
  show(trips, scale = elapsed(trips)) {
    this.region.setAttribute('aria-busy', 'false');
    const problems = trips.flatMap(problemsOf);
    const statuses = [...new Set(trips.map(({ status }) => status))].join(', ');
    this.say(`Status ${statuses}`, problems.length === 0 ? 'fine' : 'wrong');
    this.showProblems(problems);
    this.trips.replaceChildren(...waterfall(trips, scale || 1));
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

/** What is wrong with an answer, in words: a problem's detail (RFC 9457), or the errors of GraphQL. That a hash is not known is no fault. */
function problemsOf({ json, status, persisted }) {
  if (persisted === 'miss') return [];
  if (Array.isArray(json?.errors)) return json.errors.map(({ message, path }) => `${message}${path ? ` (at ${path.join('.')})` : ''}`);
  if (status < 400) return [];
  return [typeof json?.detail === 'string' ? json.detail : `The server answers ${status}.`];
}
