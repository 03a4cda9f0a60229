/** The task that the page opens with. */
const FIRST = 'published-example';
/** The styles of REST, the one that asks for the least first. */
const STYLES = ['rest-fields', 'rest-details', 'rest'];

/**
 * The tasks of `duet compare`, as the page has them in its editors; empty until they are loaded.
 *
 * `rest` has a request a line, as `request-lines.js` reads them; `query` has one operation or several, and `variables` are JSON or empty. `pages`
 * is the maximum number of pages of a list, 1 if it is missing. `note` is shown with the task. The task changes what is at `changes`, and the page
 * puts it back. `scenario` is the name of the task in `duet compare`.
 */
export const TASKS = [];

/**
 * Loads the tasks, from the file that `duet compare` reads, too. REST asks in one style, and a task with several entries in `onPage` is listed
 * once for each.
 *
 * @throws {Error} if the file cannot be loaded
 */
export async function loadTasks() {
  const response = await fetch('/comparison/tasks.json');
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  const declared = await response.json();
  declared.sort((one, other) => (other.name === FIRST) - (one.name === FIRST));
  TASKS.push(...declared.flatMap((task) => (task.onPage ?? [{}]).map((shown) => ({
    name: shown.name ?? task.name,
    scenario: task.name,
    task: shown.sentence ?? task.sentence,
    rest: task[shown.style ?? STYLES.find((style) => task[style])].join('\n'),
    query: task.graphql.join('\n'),
    variables: laidOut(task.variables),
    pages: task.pages,
    note: task.note,
    changes: task.changes?.target,
  }))));
}

/** Variables as a text: a single one on one line, of several each on its own. */
function laidOut(variables = {}) {
  const members = Object.entries(variables).map(([name, value]) => `"${name}": ${JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')}`);
  if (members.length < 2) return members.map((member) => `{ ${member} }`).join('');
  return `{\n  ${members.join(',\n  ')}\n}`;
}
