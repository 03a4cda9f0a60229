import { jsonOf } from './loading.js';

/** The styles of REST, in the order in which the page prefers them. A task can lack some of them. */
const STYLES = ['rest-fields', 'rest-details', 'rest'];

/** The style of REST that reads aggregates, and its counterpart in GraphQL. They read no pages. */
const AGGREGATES = { rest: 'rest-aggregates', graphql: 'graphql-aggregates' };

/**
 * The tasks of the server in the form for the page's editors; empty until they are loaded.
 *
 * `rest` has one request in each line, in the format of `request-lines.js`. `query` has one or several operations, and
 * `variables` is JSON or empty. `pages` is the maximum number of pages of a list, 1 if it is missing. `note` is shown
 * with the task. The task changes the values at the address `changes`, and the page restores them. `scenario` is the name
 * of the task in `duet compare`. `screen` is a screen that shows the same rows.
 */
export const TASKS = [];

/**
 * Loads the tasks. `duet compare` reads the same format. A task with several entries in `onPage` is listed once for each
 * entry. Each listed task has the REST requests of one style. A task with an entry with `first` is at the beginning of
 * the list.
 *
 * @returns {Promise<number>} the number of tasks of the server, including tasks that the page cannot send
 * @throws {Error} if they cannot be loaded
 */
export async function loadTasks() {
  const declared = await jsonOf('/comparison/tasks.json');
  declared.sort((one, other) => isFirst(other) - isFirst(one));
  TASKS.push(...declared.flatMap((task) => (task.onPage ?? [{}]).flatMap((shown) => entry(task, shown))));
  return declared.length;
}

const isFirst = ({ onPage }) => onPage?.some(({ first }) => first) === true;

/**
 * Returns a list with the entry of a task. The list is empty if each style of REST needs a request for each row of a
 * response, because the page does not send such requests.
 */
function entry(task, shown) {
  const style = shown.style ?? STYLES.find((name) => task[name] && !task[name].some(isForEachRow));
  if (!style) return [];
  const readsAggregates = style === AGGREGATES.rest;
  return [{
    name: shown.name ?? task.name,
    scenario: task.name,
    task: shown.sentence ?? task.sentence,
    rest: task[style].join('\n'),
    query: task[readsAggregates ? AGGREGATES.graphql : 'graphql'].join('\n'),
    variables: readsAggregates ? '' : laidOut(task.variables),
    pages: readsAggregates ? undefined : task.pages,
    note: task.note,
    changes: task.changes?.target,
    screen: task.screen,
  }];
}

/**
 * Returns true for a request with names in braces. It represents one request for each row, in which the row's members
 * replace the names.
 */
const isForEachRow = (line) => /\{\w+\}/.test(line);

/** Returns variables as text. A single variable is on one line. Several variables are on separate lines. */
function laidOut(variables = {}) {
  const members = Object.entries(variables).map(([name, value]) => `"${name}": ${JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')}`);
  if (members.length < 2) return members.map((member) => `{ ${member} }`).join('');
  return `{\n  ${members.join(',\n  ')}\n}`;
}
