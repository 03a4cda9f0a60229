import { byId, setText } from '../explorer/element.js';
import { costTable, runsInWords } from './cost-table.js';
import { headline } from './headline.js';
import { clearVerdict, showIncomparable, showVerdict } from './verdict-view.js';

/** The names of the sides. */
const NAMES = ['REST', 'GraphQL'];

/**
 * The result of a run: a sentence, the verdict about the data and the table of the costs. Before a result exists, the
 * table has dashes, so that the page keeps its layout.
 */
export class ResultView {
  constructor() {
    this.region = byId('result');
    this.headline = byId('headline');
    this.note = byId('runs-note');
  }

  /** Removes the result, and shows a message instead. */
  clear(message) {
    this.say(message, 'empty');
    clearVerdict();
    this.showCosts([null, null], '');
    this.note.textContent = '';
  }

  /** Shows that a run is in progress. The previous result remains visible. */
  running() {
    this.say('Running both sides…', 'running');
  }

  /** Shows the reason why a run has no result. The other parts do not change. */
  failed(reason) {
    this.say(reason, 'empty');
  }

  /**
   * Shows the result of a run.
   *
   * @param {Comparison|null} comparison null for responses that cannot be compared
   * @param {string[]} reasons the reasons why they cannot be compared
   * @param {[Costs, Costs]} costs
   * @param {{count: number, resolution: number|null, note: string}} runs `count` is the number of runs on each side, and
   *   `resolution` is an argument of `headline`
   */
  show(comparison, reasons, costs, { count, resolution, note }) {
    if (comparison) showVerdict(comparison);
    else showIncomparable(reasons);
    this.showCosts(costs, runsInWords(count));
    this.note.textContent = note;
    this.say(headline(comparison, NAMES.map((name, side) => ({ name, costs: costs[side] })), resolution), 'shown');
  }

  showCosts(costs, runs) {
    byId('costs').replaceChildren(costTable(NAMES.map((name, side) => ({ name, costs: costs[side] })), runs));
  }

  say(text, state) {
    setText(this.headline, text);
    this.region.dataset.state = state;
  }
}
