import { byId, element } from './element.js';

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** The list of the operations that were run. `restore` is called with the chosen entry. */
export class HistoryView {
  constructor(history, restore) {
    this.history = history;
    this.restore = restore;
    this.list = byId('history-list');
    this.clear = byId('history-clear');
    this.clear.addEventListener('click', () => {
      history.clear();
      byId('tab-history').focus();
    });
    history.addEventListener('change', () => this.draw());
    this.draw();
  }

  draw() {
    const { entries } = this.history;
    this.clear.hidden = entries.length === 0;
    byId('history-empty').hidden = entries.length > 0;
    this.list.replaceChildren(...entries.map((entry) => element('li', {}, this.button(entry))));
  }

  button(entry) {
    const at = new Date(entry.at);
    const isToday = at.toDateString() === new Date().toDateString();
    return element(
      'button', { type: 'button', class: 'entry', on: { click: () => this.restore(entry) } },
      element('span', { class: 'entry-title' }, title(entry)),
      element('span', { class: 'entry-text' }, summary(entry.query)),
      element('time', { datetime: at.toISOString() }, isToday ? timeOfDay.format(at) : day.format(at)),
    );
  }
}

function title({ query, operationName }) {
  return operationName ?? query.match(/\b(?:query|mutation|subscription)\s+(\w+)/)?.[1] ?? 'Without a name';
}

/** Returns the query in one line, without comments. */
function summary(query) {
  return query.replaceAll(/#.*$/gm, '').replaceAll(/\s+/g, ' ').trim().slice(0, 160);
}
