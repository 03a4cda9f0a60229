import { byId } from '../explorer/element.js';
import { costTable } from './cost-table.js';
import { compared } from './difference.js';
import { graphQLValue, runGraphQL } from './graphql-side.js';
import { KnownAnswers } from './known-answers.js';
import { Marks } from './marks.js';
import { remembered } from './put-back.js';
import { restValue, runREST } from './rest-side.js';
import { span } from './round-trip.js';
import { SideView } from './side-view.js';
import { showIncomparable, showVerdict } from './verdict-view.js';

/** Runs a task on both sides, one after the other so that they do not affect each other, and shows the results. */
export class TaskRun {
  /** @param {function(string)} announce a function that shows a message to the user */
  constructor(announce) {
    this.announce = announce;
    this.known = new KnownAnswers();
    this.rest = new SideView('rest');
    this.graphQL = new SideView('graphql');
    /** The controller of the current run. */
    this.controller = null;
    /** A promise that is resolved when all runs have ended, including stopped runs. */
    this.ended = Promise.resolve();
  }

  get isRunning() {
    return this.controller !== null;
  }

  stop() {
    this.controller?.abort();
  }

  /** Stops the current run, and removes its results from the page. */
  drop() {
    this.stop();
    this.controller = null;
    this.rest.clear();
    this.graphQL.clear();
    byId('result').hidden = true;
  }

  /**
   * @param {{rest: string, query: string, variables: string, pages: number, sent: string, fresh: boolean}} asked the
   *   state of the page
   * @param {{changes: string|undefined}|undefined} task the listed task; undefined for the user's own texts
   */
  async run(asked, task) {
    const controller = new AbortController();
    this.controller = controller;
    this.rest.waiting();
    this.graphQL.waiting();
    // A stopped run may still have to restore values, which the new run must not read before.
    const run = this.ended.then(() => this.bothSides(asked, task, controller));
    this.ended = run.catch(() => {});
    try {
      await run;
    } finally {
      if (this.controller === controller) this.controller = null;
    }
  }

  async bothSides(asked, task, controller) {
    const known = asked.fresh ? null : this.known;
    const { signal } = controller;
    const left = await this.side(this.rest, controller, { at: task?.changes, sent: asked.rest }, (arrived) => runREST(asked, known, signal, arrived));
    const right = await this.side(this.graphQL, controller, { at: task?.changes, sent: asked.query + asked.variables }, (arrived) => runGraphQL(asked, known, signal, arrived));
    if (this.controller === controller) this.show(left, right);
  }

  /**
   * Runs one side; undefined if it has no response.
   *
   * @param {{at: string|undefined, sent: string}} changes `at` is the address of the values that the task changes,
   *   which are restored after the run. `sent` is the text of the side's requests
   */
  async side(view, controller, changes, run) {
    const { signal } = controller;
    const ifWanted = (show) => { if (this.controller === controller) show(); };
    try {
      signal.throwIfAborted();
      const putBack = changes.at ? await remembered(changes.at) : null;
      try {
        const result = await run((trips) => ifWanted(() => view.add(trips)));
        ifWanted(() => view.show(result.trips));
        return result;
      } finally {
        if (putBack) this.announce(await putBack(changes.sent));
      }
    } catch (error) {
      ifWanted(() => view.failed(signal.aborted ? 'You stopped the requests.' : `There is no response: ${error.message}.`));
      return undefined;
    }
  }

  show(left, right) {
    const result = byId('result');
    result.hidden = !left || !right;
    if (!left || !right) return;
    const [rest, graphQL] = [restValue(left.trips), graphQLValue(right.trips)];
    byId('costs').replaceChildren(costTable([{ name: 'REST', ...left, ...rest }, { name: 'GraphQL', ...right, ...graphQL }]));
    const reasons = [rest.reason, graphQL.reason].filter(Boolean);
    const comparison = reasons.length > 0 ? null : compared(rest.value, graphQL.value);
    if (comparison) showVerdict(comparison);
    else showIncomparable(reasons);
    const scale = Math.max(span(left.trips), span(right.trips));
    this.rest.show(left.trips, scale, true, comparison && { marks: new Marks(rest.sources, comparison.onlyLeft.places), other: 'GraphQL' });
    this.graphQL.show(right.trips, scale, true, comparison && { marks: new Marks(graphQL.sources, comparison.onlyRight.places), other: 'REST' });
  }
}
