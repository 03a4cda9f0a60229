/** How long the browser may take to tell what a request was that has been answered. */
const PATIENCE = 1000;

/**
 * Waits for what the browser measures of a request (Resource Timing). To be made before the request is sent.
 */
export class ResourceTiming {
  /** @param {string} address absolute */
  constructor(address) {
    const begin = performance.now();
    this.found = new Promise((resolve) => {
      this.resolve = resolve;
      this.observer = new PerformanceObserver((list) => {
        const entry = list.getEntries().find(({ name, startTime }) => name === address && startTime >= begin - 1);
        if (!entry) return;
        // There is one request behind the other; nobody has to look at those of the next.
        this.end();
        resolve(entry);
      });
      this.observer.observe({ type: 'resource' });
    });
  }

  /** The browser's entry for the request, which has been answered; null if it makes none. */
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
