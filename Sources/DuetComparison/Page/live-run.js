import { byId } from '../explorer/element.js';
import { ENDPOINT, httpRequest } from '../explorer/request.js';
import { LiveAnswer } from './live-answer.js';
import { subscriptionsOf } from './live-operations.js';
import { readRequestLines } from './request-lines.js';

/** The media type of events. */
const EVENTS = 'text/event-stream';

/**
 * The maximum number of watched requests. Over HTTP/1.1, a browser opens at most six connections to a server, and the
 * requests of a run need connections, too.
 */
const MOST_WATCHED = 4;

/** Watches the requests of both sides as server-sent events, and shows each response. */
export class LiveRun {
  /** @param {function(string)} onEnd receives the reason when the last stream has ended, except after `stop()` */
  constructor(onEnd) {
    this.onEnd = onEnd;
    this.lists = [byId('rest-live'), byId('graphql-live')];
    /** The controller that ends the streams; null if nothing is watched. */
    this.controller = null;
    /** The texts whose responses are shown; empty if no responses are shown. */
    this.shown = '';
  }

  get isOn() {
    return this.controller !== null;
  }

  /** Returns true if the responses of other texts are shown. The responses remain visible when the streams have ended. */
  showsOther(asked) {
    return this.shown !== '' && this.shown !== key(asked);
  }

  /**
   * Begins to watch the requests.
   *
   * @param {{rest: string, query: string, variables: string}} asked
   * @throws {Error} with a message for users if a request cannot be watched
   */
  start(asked) {
    const answers = [restAnswers(asked), graphQLAnswers(asked)];
    const all = answers.flat();
    if (all.length > MOST_WATCHED) throw new Error(`there are ${all.length} requests, and a browser has connections to watch ${MOST_WATCHED}`);
    this.controller = new AbortController();
    this.shown = key(asked);
    this.lists.forEach((list, side) => {
      list.replaceChildren(...answers[side].map(({ item }) => item));
      list.hidden = false;
    });
    this.#follow(all, this.controller);
  }

  /** Shows the responses until the last stream has ended. */
  async #follow(answers, controller) {
    let reason = '';
    await Promise.all(answers.map(async (answer) => { reason = await answer.follow(controller.signal); }));
    if (controller.signal.aborted) return;
    this.controller = null;
    this.onEnd(reason);
  }

  /** Ends all streams, and removes their responses. */
  stop() {
    this.controller?.abort();
    this.controller = null;
    this.shown = '';
    for (const list of this.lists) {
      list.hidden = true;
      list.replaceChildren();
    }
  }
}

const key = ({ rest, query, variables }) => JSON.stringify([rest, query, variables]);

function restAnswers({ rest }) {
  return readRequestLines(rest).rounds.flat().map(({ method, target }) => {
    if (method !== 'GET') throw new Error('only reads can be watched');
    return new LiveAnswer(`GET ${target}`, { method, target, headers: { Accept: EVENTS } });
  });
}

function graphQLAnswers({ query, variables }) {
  return subscriptionsOf(query, variables).map((operation) => {
    const request = httpRequest({ ...operation, operationName: null });
    return new LiveAnswer(`subscription ${operation.name}`, { ...request, target: ENDPOINT, headers: { ...request.headers, Accept: EVENTS } });
  });
}
