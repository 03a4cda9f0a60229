/**
 * Merges the payloads of incremental delivery into one result. The first payload has `data` and the list `pending`.
 * Later payloads have `data` for pending objects and `items` for pending lists.
 */
export class IncrementalResult {
  constructor() {
    this.result = {};
    this.paths = new Map();
    this.hasNext = true;
  }

  get text() {
    return JSON.stringify(this.result);
  }

  add(payload) {
    const { pending = [], incremental = [], completed = [], hasNext = false, ...members } = payload;
    for (const { id, path } of pending) this.paths.set(id, path);
    if ('data' in members) this.result.data = members.data;
    if (members.extensions) this.result.extensions = { ...this.result.extensions, ...members.extensions };
    this.addErrors(members.errors);
    for (const one of incremental) {
      const target = this.at([...(this.paths.get(one.id) ?? []), ...(one.subPath ?? [])]);
      if (one.items) target.push(...one.items);
      if (one.data) merge(target, one.data);
      this.addErrors(one.errors);
    }
    for (const { id, errors } of completed) {
      this.paths.delete(id);
      this.addErrors(errors);
    }
    this.hasNext = hasNext;
  }

  at(path) {
    return path.reduce((value, key) => value[key], this.result.data);
  }

  addErrors(errors) {
    if (errors?.length > 0) this.result.errors = [...(this.result.errors ?? []), ...errors];
  }
}

/** Adds the members of an object to another object. Objects that exist in both are merged. */
function merge(target, source) {
  for (const [key, value] of Object.entries(source)) {
    const own = target[key];
    if (own && value && typeof own === 'object' && typeof value === 'object') merge(own, value);
    else target[key] = value;
  }
}
