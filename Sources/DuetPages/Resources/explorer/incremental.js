/**
 * One result put together from the payloads of incremental delivery: the first has `data` and tells what is `pending`, the
 * later ones bring `data` for objects and `items` for lists that were announced.
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

/** Adds the members of one object to another; objects that both have are merged, too. */
function merge(target, source) {
  for (const [key, value] of Object.entries(source)) {
    const own = target[key];
    if (own && value && typeof own === 'object' && typeof value === 'object') merge(own, value);
    else target[key] = value;
  }
}
