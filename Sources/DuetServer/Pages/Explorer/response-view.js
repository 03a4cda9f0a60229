import { byId, element } from './element.js';
import { coloured, jsonPieces } from './highlight.js';
import { layOutJSON } from './json.js';
import { duration, serverTiming, statementCount, timingView } from './timing.js';
import { offset } from './tokens.js';

/** The maximum length of a colored response. A page with an element for each token of a longer response is slow. */
const LONGEST_COLOURED = 200_000;
/** The maximum number of shown characters. A longer response can be downloaded completely. */
const LONGEST_SHOWN = 3_000_000;

/** Shows responses and their status, size and timing. */
export class ResponseView {
  /** @param {Editor} editor the editor of the query. The errors of a response link to places in this editor */
  constructor(editor) {
    this.editor = editor;
    this.status = byId('response-status');
    this.facts = byId('response-facts');
    this.timing = byId('response-timing');
    this.errors = byId('response-errors');
    this.body = byId('response-body');
    this.note = byId('response-note');
    this.download = byId('response-download');
    this.download.addEventListener('click', () => this.save());
    this.text = '';
  }

  /** Shows that a request is in progress. The previous response remains visible. */
  waiting() {
    this.reset('Waiting for the response…', 'waiting');
  }

  /** Shows the reason for a missing response. */
  failed(reason) {
    this.reset(reason, 'failed');
    this.body.replaceChildren();
  }

  reset(status, state) {
    this.status.textContent = status;
    this.status.dataset.state = state;
    for (const part of [this.facts, this.timing, this.errors]) part.replaceChildren();
    this.errors.hidden = true;
    this.note.hidden = true;
    this.download.hidden = true;
  }

  show(answer) {
    const { status, statusText, text, bytes, milliseconds, parts, isComplete, headers } = answer;
    const metrics = serverTiming(headers.get('Server-Timing'));
    const result = parsed(text);
    const errors = errorsOf(result);
    const isFine = status < 300 && errors.length === 0;
    this.reset(`${status} ${statusText || reasonPhrase(status)}`.trim(), isFine ? 'fine' : 'wrong');
    const facts = [
      errors.length > 0 ? (errors.length === 1 ? '1 error' : `${errors.length} errors`) : null,
      duration(milliseconds), statementCount(metrics), `${bytes.toLocaleString('en')} bytes`,
      parts > 1 || !isComplete ? `${parts} ${parts === 1 ? 'part' : 'parts'}${isComplete ? '' : ' so far'}` : null,
    ].filter(Boolean);
    // A line can break at the spaces.
    this.facts.replaceChildren(...facts.flatMap((fact) => [' ', element('span', {}, fact)]));
    this.timing.replaceChildren(...timingView(metrics));
    this.showErrors(errors);
    this.showText(result === undefined ? text : layOutJSON(text));
  }

  showText(text) {
    this.text = text;
    this.download.hidden = text === '';
    const isLong = text.length > LONGEST_COLOURED;
    const shown = text.slice(0, LONGEST_SHOWN);
    this.note.hidden = !isLong;
    if (isLong) {
      this.note.textContent = shown.length < text.length
        ? `The first ${LONGEST_SHOWN.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are shown, without colors. Download the response for all characters.`
        : 'This response is too long for colors.';
    }
    this.body.replaceChildren(isLong ? shown : coloured(jsonPieces(shown)));
    this.body.scrollTop = 0;
  }

  /** Shows the messages of errors. An error with a location links to it. */
  showErrors(errors) {
    this.errors.hidden = errors.length === 0;
    this.errors.replaceChildren(
      ...errors.slice(0, 20).map(({ message, locations, path }) => {
        const place = locations?.[0];
        const text = `${message}${path ? ` (at ${path.join('.')})` : ''}`;
        if (!place) return element('li', {}, text);
        const go = () => {
          const start = offset(this.editor.text, place);
          this.editor.select(start, start);
        };
        return element('li', {}, element('button', { type: 'button', on: { click: go } }, element('span', { class: 'place' }, `${place.line}:${place.column}`), text));
      }),
    );
  }

  save() {
    const address = URL.createObjectURL(new Blob([this.text], { type: 'application/json' }));
    element('a', { href: address, download: 'response.json' }).click();
    URL.revokeObjectURL(address);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the errors of a GraphQL response. If the server has rejected the request with a problem (RFC 9457), the
 * problem is the only error.
 */
function errorsOf(result) {
  if (Array.isArray(result?.errors)) return result.errors;
  return typeof result?.detail === 'string' ? [{ message: result.detail }] : [];
}

/** Returns the reason phrase of a status, because a response over HTTP/2 has none. */
function reasonPhrase(status) {
  return { 200: 'OK', 400: 'Bad Request', 413: 'Content Too Large', 429: 'Too Many Requests', 500: 'Internal Server Error', 503: 'Service Unavailable' }[status] ?? '';
}
