import { byId, element } from '../explorer/element.js';
import { statements } from '../explorer/timing.js';

/** How far outside of the list's window things are loaded already. */
const MARGIN = '120px';

/** A list of employees with their thumbnails that grows as it is scrolled, and what that costs. */
export class PeopleList {
  /**
   * @param {string} side the first part of its elements' identifiers
   * @param {AsyncGenerator<{people: Object[], trip: RoundTrip}>} pages
   */
  constructor(side, pages) {
    this.pages = pages;
    this.view = byId(`${side}-people`);
    this.list = element('ol', { class: 'people' });
    this.foot = element('p', { class: 'help' }, 'More comes as you scroll.');
    this.view.replaceChildren(this.list, this.foot);
    this.costs = byId(`${side}-people-costs`);
    this.cost = { requests: 0, people: 0, sent: 0, received: 0, statements: 0, thumbnails: 0 };
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
      if (done) this.finish('These are all.');
      else this.add(value);
    } catch (error) {
      this.finish(`There is no more to be had: ${error.message}`);
    }
    this.isLoading = false;
  }

  add({ people, trip }) {
    this.list.append(...people.map((person) => this.item(person)));
    this.cost.requests += 1;
    this.cost.people += people.length;
    this.cost.sent += trip.sent;
    this.cost.received += trip.received.encoded;
    this.cost.statements += statements(trip.metrics) ?? 0;
    this.showCosts();
    // Asked anew, it tells whether the end is still in sight.
    this.end.unobserve(this.foot);
    this.end.observe(this.foot);
  }

  finish(words) {
    this.end.disconnect();
    this.foot.textContent = words;
  }

  item({ employeeNumber, firstName, lastName, titles }) {
    const picture = element('img', { alt: '', width: 40, height: 40, 'data-number': employeeNumber });
    this.thumbnails.observe(picture);
    return element(
      'li', {}, picture,
      element('span', { class: 'person-name' }, `${firstName} ${lastName}`),
      element('span', { class: 'person-title' }, titles?.[0]?.title ?? ''),
    );
  }

  showThumbnails(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.thumbnails.unobserve(target);
      target.src = `/employees/${encodeURIComponent(target.dataset.number)}/thumbnail`;
      this.cost.thumbnails += 1;
    }
    this.showCosts();
  }

  showCosts() {
    const { requests, people, sent, received, statements: run, thumbnails } = this.cost;
    const told = [
      [requests, 'request', 'requests'], [people, 'person', 'people'], [sent, 'byte sent', 'bytes sent'],
      [received, 'byte received', 'bytes received'], [run, 'statement', 'statements'], [thumbnails, 'thumbnail', 'thumbnails'],
    ];
    this.costs.textContent = told.map(([count, one, many]) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`).join(' · ');
  }
}
