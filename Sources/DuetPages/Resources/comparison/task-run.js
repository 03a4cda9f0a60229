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

/** Runs a task on both sides, one after the other so that neither waits for the other, and shows what came of it. */
export class TaskRun {
  /** @param {function(string)} announce tells a person what has been done besides */
  constructor(announce) {
    this.announce = announce;
    this.known = new KnownAnswers();
    this.rest = new SideView('rest');
    this.graphQL = new SideView('graphql');
    /** Of the run whose results are wanted. */
    this.controller = null;
    /** When every run has ended, also those that were dropped. */
    this.ended = Promise.resolve();
  }

  get isRunning() {
    return this.controller !== null;
  }

  stop() {
    this.controller?.abort();
  }

  /** Ends the run, of which nothing is shown any more, and takes away what has been shown. */
  drop() {
    this.stop();
    this.controller = null;
    this.rest.clear();
    this.graphQL.clear();
    byId('result').hidden = true;
  }

  /**
   * @param {{rest: string, query: string, variables: string, pages: number, sent: string, fresh: boolean}} asked
   * @param {{changes: string|undefined}|undefined} task that of the list, if it is one
   */
  async run(asked, task) {
    const controller = new AbortController();
    this.controller = controller;
    this.rest.waiting();
    this.graphQL.waiting();
    // One that was dropped may still have to put something back, which this one would read before.
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
   * One side; undefined if it has no answer.
   *
   * @param {{at: string|undefined, sent: string}} changes the address of what the task changes, which is put back behind the side, and the
   * text of the side's requests
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
      ifWanted(() => view.failed(signal.aborted ? 'You stopped the requests.' : `There is no answer: ${error.message}.`));
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
