/** The maximum wait for the browser's measurements of a request, in milliseconds. */
const PATIENCE = 1000;

/** Waits for the browser's measurements of a request (Resource Timing). Create it before the request is sent. */
export class ResourceTiming {
  /** @param {string} address the absolute address of the request */
  constructor(address) {
    const begin = performance.now();
    this.found = new Promise((resolve) => {
      this.resolve = resolve;
      this.observer = new PerformanceObserver((list) => {
        const entry = list.getEntries().find(({ name, startTime }) => name === address && startTime >= begin - 1);
        if (!entry) return;
        // The requests to an address are sent one after the other, so later entries are not needed.
        this.end();
        resolve(entry);
      });
      this.observer.observe({ type: 'resource' });
    });
  }

  /** Returns the browser's entry for a completed request; null if the browser does not create an entry. */
  async entry() {
    const timer = setTimeout(() => this.resolve(null), PATIENCE);
    const entry = await this.found;
    clearTimeout(timer);
    this.end();
    return entry;
  }

  end() {
    this.observer.disconnect();
  }
}
