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

function key({ target, headers }) {
  return `${headers.Accept} ${target}`;
}
