/** The maximum number of cached responses. */
const CAPACITY = 200;

/** A cache of responses with their entity tags, for revalidation requests. */
export class KnownAnswers {
  constructor() {
    this.answers = new Map();
  }

  /** Returns the cached response to a request; undefined if none exists or if the request cannot be cached. */
  get(request) {
    return request.method === 'GET' ? this.answers.get(key(request)) : undefined;
  }

  /** Stores a response if it has a tag. */
  keep(request, tag, text) {
    if (request.method !== 'GET' || !tag) return;
    this.answers.delete(key(request));
    this.answers.set(key(request), { tag, text });
    if (this.answers.size > CAPACITY) this.answers.delete(this.answers.keys().next().value);
  }
}

/**
 * The cache during a run. It does not change until the run ends, so that each repetition of a request sends the same
 * tag.
 */
export class AnswersOfRun {
  /** @param {KnownAnswers} known */
  constructor(known) {
    this.known = known;
    /** The responses of the run by the keys of their requests. A later response replaces an earlier response. */
    this.arrived = new Map();
  }

  get(request) {
    return this.known.get(request);
  }

  keep(request, tag, text) {
    this.arrived.set(key(request), [request, tag, text]);
  }

  /** Stores the responses of the run in the cache. Call it when the run ends. */
  store() {
    for (const answer of this.arrived.values()) this.known.keep(...answer);
    this.arrived.clear();
  }
}

function key({ target, headers }) {
  return `${headers.Accept} ${target}`;
}
