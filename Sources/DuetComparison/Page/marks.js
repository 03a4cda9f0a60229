/**
 * The values in the responses of one side, REST or GraphQL, that the other side omits. Members are identified by their
 * object. Lists and rows are marked completely. A single scalar in a list cannot be marked; the API has no such lists.
 */
export class Marks {
  /**
   * @param {Sources} sources the sources of the compared value
   * @param {{object: Object, key: string}|{row: *}[]} leftOut the members and rows of the compared value that the other
   *   side omits
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
      // The member can be a separate response that was inserted into the object.
      this.addWhole(object[key]);
      const member = sources.member(object, key);
      for (const source of sources.of(member.object)) {
        this.members.set(source, (this.members.get(source) ?? new Set()).add(member.key));
      }
    }
  }

  addWhole(value) {
    if (!isContainer(value)) return;
    for (const source of this.sources.of(value)) this.whole.add(source);
    // The pages of a list are separate lists.
    if (Array.isArray(value)) value.forEach((row) => this.addWhole(row));
  }

  hasMember(container, key) {
    return this.members.get(container)?.has(key) === true;
  }

  hasWhole(container) {
    return this.whole.has(container);
  }
}

/** The objects and lists of the responses from which a value was created. */
export class Sources {
  constructor() {
    this.made = new WeakMap();
    /** The members of other objects that are the members of an object, by its names. */
    this.moved = new WeakMap();
  }

  /** Returns the sources of a value; the value itself if it is unchanged. */
  of(value) {
    return this.made.get(value) ?? [value];
  }

  /** Records the sources of a value, and returns the value. */
  note(value, ...parts) {
    this.made.set(value, parts.filter(isContainer).flatMap((part) => this.of(part)));
    return value;
  }

  /** Returns the object and the key of the source of a member. */
  member(object, key) {
    return this.moved.get(object)?.get(key) ?? { object, key };
  }

  /**
   * Records the source of a value, and those of its members, and returns the value.
   *
   * @param {Map<string, {object: Object, key: string}>} members
   */
  noteMembers(value, source, members) {
    this.moved.set(value, members);
    return this.note(value, source);
  }
}

const isContainer = (value) => value !== null && typeof value === 'object';
