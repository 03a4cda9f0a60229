const KEY = 'duet.explorer.history';
const MOST_ENTRIES = 50;
/** The maximum length of an entry. It is longer than any document that a person writes. */
const LONGEST_ENTRY = 100_000;

/**
 * The operations that were run, newest first. The browser stores the operations. If the browser does not allow this, as
 * in some private windows, the operations are lost when the page is closed.
 */
export class History extends EventTarget {
  constructor(storage = availableStorage()) {
    super();
    this.storage = storage;
    this.entries = this.read();
    // Another window of the explorer changed the history.
    window.addEventListener('storage', (event) => {
      if (event.key !== KEY) return;
      this.entries = this.read();
      this.dispatchEvent(new Event('change'));
    });
  }

  read() {
    try {
      const entries = JSON.parse(this.storage?.getItem(KEY) ?? '[]');
      return Array.isArray(entries) ? entries.filter(isEntry).slice(0, MOST_ENTRIES) : [];
    } catch {
      return [];
    }
  }

  /** @param {{query: string, variables: string, operationName: string|null}} request */
  add(request) {
    const { query, variables, operationName } = request;
    if (query.length + variables.length > LONGEST_ENTRY) return;
    const others = this.entries.filter((entry) => !isSame(entry, request));
    this.entries = [{ query, variables, operationName, at: Date.now() }, ...others].slice(0, MOST_ENTRIES);
    this.write();
  }

  clear() {
    this.entries = [];
    this.write();
  }

  write() {
    try {
      this.storage?.setItem(KEY, JSON.stringify(this.entries));
    } catch {
      // The storage of the browser is full. The entries remain in memory, but they are not stored.
    }
    this.dispatchEvent(new Event('change'));
  }
}

/**
 * Returns the storage of the browser; null if the browser does not allow access to the storage and throws an error.
 */
function availableStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function isEntry(entry) {
  return typeof entry?.query === 'string' && typeof entry.variables === 'string' && typeof entry.at === 'number';
}

function isSame(entry, request) {
  return entry.query.trim() === request.query.trim() && entry.variables.trim() === request.variables.trim()
    && (entry.operationName ?? null) === (request.operationName ?? null);
}
