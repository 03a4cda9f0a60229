import { element } from '../explorer/element.js';

/** The fields of a response that control caches, and its link to the next page. */
const SHOWN_FIELDS = ['Cache-Control', 'ETag', 'Surrogate-Key', 'Vary', 'Content-Encoding', 'Link', 'Preference-Applied'];
/** The fields that are lists of cache tags, separated by spaces. */
const LISTS_OF_TAGS = ['Surrogate-Key'];
/** The maximum number of characters of a field that is not folded. */
const LONGEST = 120;

/**
 * Returns a list of a response's fields. A long field is folded.
 *
 * @param {Headers} headers
 */
export function headerFields(headers) {
  const fields = SHOWN_FIELDS.filter((name) => headers.has(name));
  return element(
    'dl', { class: 'exchange-fields' },
    ...fields.map((name) => element('div', {}, element('dt', {}, name), element('dd', {}, shown(name, headers.get(name))))),
  );
}

function shown(name, value) {
  if (value.length <= LONGEST) return value;
  const size = sizeOf(name, value);
  return element('details', {}, element('summary', { 'aria-label': `${name}: ${size}` }, size), value);
}

function sizeOf(name, value) {
  if (LISTS_OF_TAGS.includes(name)) return `${value.trim().split(/\s+/).length.toLocaleString('en')} tags`;
  return `${value.length.toLocaleString('en')} characters`;
}
