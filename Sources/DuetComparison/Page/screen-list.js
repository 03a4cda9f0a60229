import { accessToken, fetchAsCaller } from '../explorer/access-token.js';
import { byId, element } from '../explorer/element.js';
import { statements } from '../explorer/timing.js';
import { counted } from './counted.js';

/** The distance outside of the visible area within which items are loaded. */
const MARGIN = '120px';

/**
 * Returns the value at a path such as `titles.title`. A list in the path is represented by its first row. Returns an
 * empty string if there is no value.
 */
function valueAt(row, path) {
  return path.split('.').reduce((value, name) => (Array.isArray(value) ? value[0] : value)?.[name], row) ?? '';
}

/** Shows the picture of an element. An element cannot send a token, so with a token the page requests the picture. */
async function showPicture(image) {
  const { address } = image.dataset;
  if (!accessToken.text) {
    image.src = address;
    return;
  }
  try {
    const response = await fetchAsCaller(address);
    if (response.ok) image.src = await dataAddress(await response.blob());
  } catch {
    // A row without its picture is still useful.
  }
}

/** Returns the bytes as an address, which the Content-Security-Policy allows for images. */
function dataAddress(bytes) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(bytes);
  });
}

/** A list of rows with optional pictures, and its costs. Scrolling loads more rows. */
export class ScreenList {
  /**
   * @param {string} side the prefix of the identifiers of its elements
   * @param {Screen} screen
   * @param {AsyncGenerator<{rows: Object[], exchange: Exchange}>} pages
   */
  constructor(side, screen, pages) {
    this.screen = screen;
    this.pages = pages;
    this.view = byId(`${side}-screen`);
    this.list = element('ol', { class: 'screen-rows' });
    this.foot = element('p', { class: 'help' }, 'Scroll to load more rows.');
    this.view.replaceChildren(this.list, this.foot);
    this.costs = byId(`${side}-screen-costs`);
    this.cost = { requests: 0, rows: 0, sent: 0, received: 0, statements: 0, thumbnails: 0 };
    this.isLoading = false;
    const options = { root: this.view, rootMargin: MARGIN };
    this.thumbnails = new IntersectionObserver((entries) => this.showThumbnails(entries), options);
    this.end = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.load(), options);
    this.end.observe(this.foot);
  }

  async load() {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const { value, done } = await this.pages.next();
      if (done) this.finish('All rows are loaded.');
      else this.add(value);
    } catch (error) {
      this.finish(`The next rows cannot be loaded: ${error.message}`);
    }
    this.isLoading = false;
  }

  add({ rows, exchange }) {
    this.list.append(...rows.map((row) => this.item(row)));
    this.cost.requests += 1;
    this.cost.rows += rows.length;
    this.cost.sent += exchange.sent;
    this.cost.received += exchange.received.encoded;
    this.cost.statements += statements(exchange.metrics) ?? 0;
    this.showCosts();
    // A new observation reports whether the end is still visible.
    this.end.unobserve(this.foot);
    this.end.observe(this.foot);
  }

  finish(words) {
    this.end.disconnect();
    this.foot.textContent = words;
  }

  item(row) {
    const { heading, line, picture } = this.screen;
    const image = picture ? this.image(picture.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueAt(row, name)))) : null;
    return element(
      'li', {}, image,
      element('span', { class: 'row-heading' }, heading.map((path) => valueAt(row, path)).join(' ')),
      element('span', { class: 'row-line' }, line ? String(valueAt(row, line)) : ''),
    );
  }

  image(address) {
    const image = element('img', { alt: '', width: 40, height: 40, 'data-address': address });
    this.thumbnails.observe(image);
    return image;
  }

  showThumbnails(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.thumbnails.unobserve(target);
      showPicture(target);
      this.cost.thumbnails += 1;
    }
    this.showCosts();
  }

  showCosts() {
    const { requests, rows, sent, received, statements: run, thumbnails } = this.cost;
    const parts = [
      [requests, 'request', 'requests'], [rows, ...this.screen.rows], [sent, 'byte sent', 'bytes sent'],
      [received, 'byte received', 'bytes received'], [run, 'statement', 'statements'],
      ...(this.screen.picture ? [[thumbnails, 'thumbnail', 'thumbnails']] : []),
    ];
    this.costs.textContent = parts.map((part) => counted(...part)).join(' · ');
  }
}
