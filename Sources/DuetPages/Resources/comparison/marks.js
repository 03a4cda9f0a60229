/**
 * What the other side leaves out, in the answers as they came: members by the object that has them, lists and rows as a whole. A scalar
 * in a list cannot be marked by itself; no list of the API has any.
 */
export class Marks {
  /**
   * @param {Sources} sources of the value that was compared
   * @param {{object: Object, key: string}|{row: *}[]} leftOut members and rows of that value
   */
  constructor(sources, leftOut) {
    this.sources = sources;
    this.whole = new Set();
    this.members = new Map();
    for (const { object, key, row } of leftOut) {
      if (!object) {
        this.addWhole(row);
        continue;
      }
      // It may be an answer of its own that was put there.
      this.addWhole(object[key]);
      for (const source of sources.of(object)) this.members.set(source, (this.members.get(source) ?? new Set()).add(key));
    }
  }

  addWhole(value) {
    if (!isContainer(value)) return;
    for (const source of this.sources.of(value)) this.whole.add(source);
    // The pages of a list are several lists.
    if (Array.isArray(value)) value.forEach((row) => this.addWhole(row));
  }

  hasMember(container, key) {
    return this.members.get(container)?.has(key) === true;
  }

  hasWhole(container) {
    return this.whole.has(container);
  }
}

/** Which objects and lists of the answers those were that a value is made of. */
export class Sources {
  constructor() {
    this.made = new WeakMap();
  }

  /** What something was made of; itself if it has come as it is. */
  of(value) {
    return this.made.get(value) ?? [value];
  }

  /** Notes of what something is made, and gives it back. */
  note(value, ...parts) {
    this.made.set(value, parts.filter(isContainer).flatMap((part) => this.of(part)));
    return value;
  }
}

const isContainer = (value) => value !== null && typeof value === 'object';
