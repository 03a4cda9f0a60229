import { costsOf, elapsed } from './costs.js';
import { compared } from './difference.js';
import { graphQLValue, runGraphQL } from './graphql-side.js';
import { AnswersOfRun, KnownAnswers } from './known-answers.js';
import { Marks } from './marks.js';
import { medianItem } from './medians.js';
import { remembered } from './put-back.js';
import { onlyReads, repeated } from './repetition.js';
import { restValue, runREST } from './rest-side.js';
import { ResultView } from './result-view.js';
import { span } from './exchange.js';
import { SideView } from './side-view.js';
import { clockResolution } from './time-difference.js';
import { isStored } from './undone.js';

/** The headline if nothing has been run. */
const NO_RUN = 'Run both sides to compare them.';

/**
 * Runs a task on both sides, REST and GraphQL, and shows the results. The sides run one after the other, so that they
 * do not affect each other. A task that only reads runs once to warm up, and then several times.
 */
export class TaskRun {
  /** @param {function(string)} announce a function that shows a message to the user */
  constructor(announce) {
    this.announce = announce;
    this.known = new KnownAnswers();
    /** The sides. REST is the first. `textOf` returns the text that the side sends. */
    this.sides = [
      { name: 'REST', key: 'rest', view: new SideView('rest'), send: runREST, valueOf: restValue, textOf: ({ rest }) => rest },
      {
        name: 'GraphQL', key: 'graphql', view: new SideView('graphql'), send: runGraphQL, valueOf: graphQLValue,
        textOf: ({ query, variables }) => query + variables,
      },
    ];
    this.result = new ResultView();
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
    for (const { view } of this.sides) view.clear();
    this.result.clear(NO_RUN);
  }

  /**
   * @param {{rest: string, query: string, variables: string, pages: number, sent: string, fresh: boolean,
   *   kept: string|undefined, tried: function(Object): Object|undefined}} asked the state of the page, and the options of
   *   a `WriteTrial`
   * @param {{changes: string|undefined}|undefined} task the listed task; undefined for the user's own texts
   */
  async run(asked, task) {
    const controller = new AbortController();
    this.controller = controller;
    for (const { view } of this.sides) view.waiting();
    this.result.running();
    // A stopped run may still have to restore values. The new run must not read these values before that.
    const run = this.ended.then(() => this.bothSides(asked, task, controller));
    this.ended = run.catch(() => {});
    try {
      await run;
    } catch (error) {
      if (this.controller === controller) this.result.failed('The page cannot show the responses.');
      throw error;
    } finally {
      if (this.controller === controller) {
        this.controller = null;
        for (const { view } of this.sides) view.idle();
      }
    }
  }

  async bothSides(asked, task, controller) {
    const known = asked.fresh ? null : new AnswersOfRun(this.known);
    const begin = performance.now();
    const options = (side) => (asked.kept === side.key ? { ...asked, tried: undefined } : asked);
    const send = (side, arrived) => side.send(options(side), known, controller.signal, arrived);
    // The kept change is the last one, because it would be visible to the other side.
    const order = asked.kept === 'rest' ? [1, 0] : [0, 1];
    try {
      const first = [];
      for (const side of order) first[side] = await this.firstRun(this.sides[side], controller, asked, task, send);
      if (asked.tried) this.tellStored(first, asked.kept);
      const isRepeated = !task?.changes && onlyReads(asked);
      let turns = [first];
      if (isRepeated && first.every(isFine)) {
        const sides = this.sides.map((side) => () => this.attempt(side, controller, () => send(side, () => {})));
        turns = await repeated(sides, begin, isFine);
      }
      if (this.controller === controller) this.show(first, turns, isRepeated);
    } finally {
      known?.store();
    }
  }

  /**
   * Reports whether the change of the kept side is stored, and warns if the server has stored a change that it should
   * undo.
   *
   * @param {(Object|undefined)[]} runs the run of each side
   * @param {string} kept the name of the kept side; empty if there is none
   */
  tellStored(runs, kept) {
    const sentences = this.sides.map(({ key, name }, side) => {
      if (key === kept) return keptSentence(runs[side], name);
      if (!runs[side]?.exchanges.some(isStored)) return null;
      return `Warning: the change of ${name} may be stored, because its response lacks Preference-Applied: tx=rollback.`;
    }).filter(Boolean);
    if (sentences.length > 0) this.announce(sentences.join(' '));
  }

  /** Runs one side for the first time, shows its exchanges as they arrive, and restores the values that it changes. */
  async firstRun(side, controller, asked, task, send) {
    const ifWanted = (show) => { if (this.controller === controller) show(); };
    const sent = side.textOf(asked);
    return this.attempt(side, controller, async () => {
      const putBack = task?.changes ? await remembered(task.changes) : null;
      try {
        const run = await send(side, (exchanges) => ifWanted(() => side.view.add(exchanges)));
        ifWanted(() => side.view.show(run.exchanges));
        return run;
      } finally {
        if (putBack) this.announce(await putBack(sent));
      }
    });
  }

  /**
   * Runs one side once.
   *
   * @param {function(): Promise<{exchanges: Exchange[], rounds: number}>} send
   * @returns {Promise<Object|undefined>} the run with the combined `value` of its responses, or with the `reason` why
   *   there is no value; undefined without a response
   */
  async attempt(side, controller, send) {
    const { signal } = controller;
    try {
      signal.throwIfAborted();
      const run = await send();
      return { ...run, ...side.valueOf(run.exchanges) };
    } catch (error) {
      if (this.controller === controller) {
        side.view.failed(signal.aborted ? 'You stopped the requests.' : `There is no response: ${error.message}.`);
        this.result.clear(signal.aborted ? 'You stopped the run.' : 'There is no result, because a side has no response.');
      }
      return undefined;
    }
  }

  /**
   * Shows the result.
   *
   * @param {Object[]} first the first run of each side
   * @param {Object[][]} turns the measured runs of both sides; only the first runs if the task is not repeated
   * @param {boolean} isRepeated false for a task that writes
   */
  show(first, turns, isRepeated) {
    const runs = this.sides.map((_, side) => turns.map((turn) => turn[side]));
    if (runs.flat().includes(undefined)) return;
    const shown = runs.map((ofSide) => medianItem(ofSide, ({ exchanges }) => elapsed(exchanges)));
    const costs = shown.map((run, side) => costsOf(run, run.value, runs[side]));
    const reasons = shown.map(({ reason }) => reason).filter(Boolean);
    const comparison = reasons.length > 0 ? null : compared(...shown.map(({ value }) => value));
    const resolution = turns[0] === first ? null : clockResolution(runs.flat());
    this.result.show(comparison, reasons, costs, { count: turns.length, resolution, note: noteAbout(first, turns, isRepeated) });
    const scale = Math.max(...shown.map(({ exchanges }) => span(exchanges)));
    const only = comparison && [comparison.onlyLeft, comparison.onlyRight];
    this.sides.forEach(({ view }, side) => {
      const { exchanges, sources } = shown[side];
      const other = this.sides[1 - side].name;
      view.show(exchanges, scale, true, only && { marks: new Marks(sources, only[side].places), other });
    });
  }
}

/** Returns true if a run has responses, and none of them is an error. */
const isFine = (run) => run !== undefined && run.reason === undefined;

/** Returns a sentence about the change of the kept side. */
function keptSentence(run, name) {
  if (run === undefined) return `The page does not know whether the change of ${name} is stored.`;
  return run.reason === undefined ? `The change of ${name} is stored.` : `${name} has changed nothing, or not everything.`;
}

/** Returns a text about the runs. */
function noteAbout(first, turns, isRepeated) {
  if (!isRepeated) return 'The page runs a task only once if it writes, or if it contains a syntax error.';
  if (turns[0] === first) return '';
  const hashes = first.flatMap(({ exchanges }) => exchanges).filter(({ persisted }) => persisted === 'stored').length;
  return [
    `A warm-up run preceded the measured ${turns.length === 1 ? 'run' : 'runs'} on each side.`,
    turns.length > 1 ? 'The responses are those of the run with the median time.' : null,
    hashes > 0 ? `The warm-up run registered ${hashes === 1 ? 'the hash of the query' : `the hashes of ${hashes} queries`}.` : null,
  ].filter(Boolean).join(' ');
}
