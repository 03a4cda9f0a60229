/** Most answers that are kept. */
const CAPACITY = 200;

/** Answers with their entity tags, so that the server can be asked whether there is something new. */
export class KnownAnswers {
  constructor() {
    this.answers = new Map();
  }

  /** What is known for a request; undefined if nothing is, or if it is none that an answer can be kept for. */
  get(request) {
    return request.method === 'GET' ? this.answers.get(key(request)) : undefined;
  }

  /** Keeps an answer that has a tag. */
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
