import { byId } from '../explorer/element.js';
import { costTable, elapsed } from './cost-table.js';
import { compared } from './difference.js';
import { graphQLValue, runGraphQL } from './graphql-side.js';
import { KnownAnswers } from './known-answers.js';
import { restValue, runREST } from './rest-side.js';
import { SideView } from './side-view.js';
import { showIncomparable, showVerdict } from './verdict-view.js';

/** Runs a task on both sides, one after the other so that neither waits for the other, and shows what came of it. */
export class TaskRun {
  constructor() {
    this.known = new KnownAnswers();
    this.rest = new SideView('rest');
    this.graphQL = new SideView('graphql');
    this.controller = null;
  }

  get isRunning() {
    return this.controller !== null;
  }

  stop() {
    this.controller?.abort();
  }

  /** Takes away what the last run has shown. */
  clear() {
    this.rest.clear();
    this.graphQL.clear();
    byId('result').hidden = true;
  }

  /** @param {{rest: string, query: string, variables: string, sent: string, fresh: boolean}} task */
  async run(task) {
    this.controller = new AbortController();
    const known = task.fresh ? null : this.known;
    const { signal } = this.controller;
    this.rest.waiting();
    this.graphQL.waiting();
    const left = await this.side(this.rest, signal, (arrived) => runREST(task.rest, known, signal, arrived));
    const right = await this.side(this.graphQL, signal, (arrived) => runGraphQL(task, known, signal, arrived));
    this.controller = null;
    this.show(left, right);
  }

  /** One side; undefined if it has no answer. */
  async side(view, signal, run) {
    try {
      return await run((trips) => view.show(trips));
    } catch (error) {
      view.failed(signal.aborted ? 'You stopped the requests.' : `There is no answer: ${error.message}.`);
      return undefined;
    }
  }

  show(left, right) {
    const result = byId('result');
    result.hidden = !left || !right;
    if (!left || !right) return;
    const scale = Math.max(elapsed(left.trips), elapsed(right.trips));
    this.rest.show(left.trips, scale);
    this.graphQL.show(right.trips, scale);
    const [rest, graphQL] = [restValue(left.trips), graphQLValue(right.trips)];
    byId('costs').replaceChildren(costTable([{ name: 'REST', ...left, ...rest }, { name: 'GraphQL', ...right, ...graphQL }]));
    const reasons = [rest.reason, graphQL.reason].filter(Boolean);
    if (reasons.length > 0) showIncomparable(reasons);
    else showVerdict(compared(rest.value, graphQL.value));
  }
}
