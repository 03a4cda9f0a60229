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
  constructor() {
    this.lists = [byId('rest-live'), byId('graphql-live')];
    /** The controller that ends the streams; null if nothing is watched. */
    this.controller = null;
    /** The texts whose requests are watched. */
    this.watched = '';
  }

  get isOn() {
    return this.controller !== null;
  }

  /** Returns true if the requests of these texts are watched. */
  watches(asked) {
    return this.isOn && this.watched === key(asked);
  }

  /**
   * Begins to watch the requests.
   *
   * @param {{rest: string, query: string, variables: string}} asked
   * @throws {Error} with a message for users if a request cannot be watched
   */
  start(asked) {
    const answers = [restAnswers(asked), graphQLAnswers(asked)];
    const count = answers.flat().length;
    if (count > MOST_WATCHED) throw new Error(`there are ${count} requests, and a browser has connections to watch ${MOST_WATCHED}`);
    this.controller = new AbortController();
    this.watched = key(asked);
    this.lists.forEach((list, side) => {
      list.replaceChildren(...answers[side].map(({ item }) => item));
      list.hidden = false;
    });
    for (const answer of answers.flat()) answer.follow(this.controller.signal);
  }

  /** Ends all streams, and removes their responses. */
  stop() {
    this.controller?.abort();
    this.controller = null;
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
