import { jsonOf } from './loading.js';

/** The styles of REST, the one that asks for the least first. */
const STYLES = ['rest-fields', 'rest-details', 'rest'];

/**
 * The tasks of the server, as the page has them in its editors; empty until they are loaded.
 *
 * `rest` has a request a line, as `request-lines.js` reads them; `query` has one operation or several, and `variables` are JSON or empty. `pages`
 * is the maximum number of pages of a list, 1 if it is missing. `note` is shown with the task. The task changes what is at `changes`, and the page
 * puts it back. `scenario` is the name of the task in `duet compare`. `screen` is a screen that shows the same rows.
 */
export const TASKS = [];

/**
 * Loads the tasks, in the form that `duet compare` reads, too. REST asks in one style, and a task with several entries in `onPage` is listed
 * once for each. The first of the list is the one whose entry says so.
 *
 * @returns {Promise<number>} the number of tasks of the server, also of those that the page cannot send
 * @throws {Error} if they cannot be loaded
 */
export async function loadTasks() {
  const declared = await jsonOf('/comparison/tasks.json');
  declared.sort((one, other) => isFirst(other) - isFirst(one));
  TASKS.push(...declared.flatMap((task) => (task.onPage ?? [{}]).flatMap((shown) => entry(task, shown))));
  return declared.length;
}

const isFirst = ({ onPage }) => onPage?.some(({ first }) => first) === true;

/** The entry of a task in the list; none if each style of REST asks for each row of an answer, which the page does not do. */
function entry(task, shown) {
  const style = shown.style ?? STYLES.find((name) => task[name] && !task[name].some(isForEachRow));
  if (!style) return [];
  return [{
    name: shown.name ?? task.name,
    scenario: task.name,
    task: shown.sentence ?? task.sentence,
    rest: task[style].join('\n'),
    query: task.graphql.join('\n'),
    variables: laidOut(task.variables),
    pages: task.pages,
    note: task.note,
    changes: task.changes?.target,
    screen: task.screen,
  }];
}

/** Returns true for a request with names in braces. It means one request for each row, with the row's members in their place. */
const isForEachRow = (line) => /\{\w+\}/.test(line);

/** Variables as a text: a single one on one line, of several each on its own. */
function laidOut(variables = {}) {
  const members = Object.entries(variables).map(([name, value]) => `"${name}": ${JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')}`);
  if (members.length < 2) return members.map((member) => `{ ${member} }`).join('');
  return `{\n  ${members.join(',\n  ')}\n}`;
}
