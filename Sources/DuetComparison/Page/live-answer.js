import { fetchAsCaller } from '../explorer/access-token.js';
import { element } from '../explorer/element.js';
import { coloured, jsonPieces } from '../explorer/highlight.js';
import { layOutJSON } from '../explorer/json.js';
import { counted } from './counted.js';
import { eventsIn } from './event-stream.js';

/** The maximum number of shown characters of a response. */
const LONGEST_SHOWN = 50_000;
/** The texts for the events that end a stream. */
const ENDS = { gone: 'The row no longer exists.', expired: 'The token has expired.', complete: 'The server ended the events.' };

/** A watched request, and the list item that shows its current response. */
export class LiveAnswer {
  /**
   * @param {string} title the text that describes the request
   * @param {{target: string, method: string, headers: Object, body: string|undefined}} request
   */
  constructor(title, request) {
    this.request = request;
    this.updates = -1;
    /** The time in milliseconds until the next connection. */
    this.pause = 3000;
    this.lines = [];
    this.facts = element('span', { class: 'exchange-facts', role: 'status' }, 'Waiting for the response…');
    this.body = element('pre', { class: 'exchange-body', tabindex: '0', role: 'region', 'aria-label': `Current response to ${title}` });
    this.item = element('li', { class: 'exchange live-answer' }, element('span', { class: 'exchange-request' }, title), ' ', this.facts, this.body);
  }

  /**
   * Shows the responses until the server ends them, or until `signal` is aborted.
   *
   * @returns {Promise<string>} the reason of the end
   */
  async follow(signal) {
    for (;;) {
      const end = await this.#connect(signal);
      if (signal.aborted) return '';
      if (end !== null) {
        this.item.classList.add('exchange-wrong');
        this.facts.textContent = end;
        return end;
      }
      // A server that restarts, or that has read a new description, ends its streams.
      this.facts.textContent = 'The server closed the connection. Connecting again…';
      await new Promise((resolve) => { setTimeout(resolve, this.pause); });
      if (signal.aborted) return '';
    }
  }

  /** Shows the responses of one connection. Returns the reason of the end; null if another connection must follow. */
  async #connect(signal) {
    let last = null;
    try {
      const { target, ...options } = this.request;
      const response = await fetchAsCaller(target, { ...options, signal, cache: 'no-store', credentials: 'same-origin' });
      if (!response.ok || !response.body) throw new Error(await reason(response));
      for await (const event of eventsIn(response, (pause) => { this.pause = pause; })) {
        if (event.name === 'value' || event.name === 'next') {
          this.show(event);
          last = event;
          continue;
        }
        // The server completes a subscription if it responds with an error.
        return problemIn(event.name === 'complete' ? last?.data : event.data) ?? ENDS[event.name] ?? 'The server reported an error.';
      }
      return null;
    } catch (error) {
      return `There are no events: ${error.message}`;
    }
  }

  /** Shows a response, and highlights the lines that differ from those of the previous response. */
  show({ data, bytes }) {
    const lines = layOutJSON(data.slice(0, LONGEST_SHOWN)).split('\n');
    const isChanged = this.updates < 0 ? () => false : changes(this.lines);
    this.body.replaceChildren(...lines.flatMap((line) => {
      const [indentation] = line.match(/^ */);
      const text = coloured(jsonPieces(line.slice(indentation.length)));
      return [indentation, isChanged(line) ? element('ins', {}, text) : text, '\n'];
    }));
    this.lines = lines;
    this.updates += 1;
    const time = new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });
    this.facts.textContent = `${counted(this.updates, 'update')} · ${bytes.toLocaleString('en')} bytes · ${time}`;
  }
}

/** Returns a function that returns true for each line that is not one of the previous lines. */
function changes(previous) {
  // The comma depends on the next line.
  const content = (line) => line.replace(/,$/, '');
  const counts = new Map();
  for (const line of previous.map(content)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return (line) => {
    const count = counts.get(content(line)) ?? 0;
    counts.set(content(line), count - 1);
    return count <= 0;
  };
}

async function reason(response) {
  return problemIn(await response.text()) ?? `The server returned ${response.status}.`;
}

/** Returns the message in a problem document or a GraphQL response; null if there is none. */
function problemIn(text = '') {
  try {
    const { detail, title, errors } = JSON.parse(text);
    return errors?.[0]?.message ?? detail ?? title ?? null;
  } catch {
    return null;
  }
}
