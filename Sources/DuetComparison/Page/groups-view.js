import { element } from '../explorer/element.js';
import { counted } from './counted.js';
import { graphQLValue } from './graphql-side.js';
import { groupingOf } from './groups.js';

/** The maximum number of shown groups of a response. */
const MOST_SHOWN = 20;

/**
 * Returns a table for each list of groups in a response. The columns are the keys and the aggregates, with the names of
 * REST on both sides.
 *
 * @param {Exchange} exchange
 * @returns {Element[]}
 */
export function groupsView(exchange) {
  return groupLists(exchange).filter((groups) => groups.length > 0).map((groups) => {
    const names = [...new Set(groups.slice(0, MOST_SHOWN).flatMap(Object.keys))];
    const caption = groups.length > MOST_SHOWN ? `The first ${MOST_SHOWN} of ${counted(groups.length, 'group')}` : counted(groups.length, 'group');
    return element(
      'div', { class: 'groups', tabindex: '0', role: 'region', 'aria-label': caption },
      element(
        'table', {},
        element('caption', {}, caption),
        element('thead', {}, element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name)))),
        element('tbody', {}, ...groups.slice(0, MOST_SHOWN).map((group) => (
          element('tr', {}, ...names.map((name) => element('td', {}, written(group[name])))))
        )),
      ),
    );
  });
}

/** Returns the lists of groups in a response. */
function groupLists({ json, request, shape, status }) {
  if (!shape) return Array.isArray(json) && groupingOf(request.target) === 'group' ? [json.filter(isObject)] : [];
  return [...shape].filter(([, { isGroups }]) => isGroups).flatMap(([key, member]) => {
    const part = { json: { data: { [key]: json?.data?.[key] } }, status, shape: new Map([[key, member]]) };
    const { value } = graphQLValue([part]);
    return Array.isArray(value) ? [value.filter(isObject)] : [];
  });
}

function written(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
