import { showInAddress, stateInAddress } from '../explorer/link.js';
import { TASKS } from './tasks.js';

/** The members of the page's state in the address. `task` is the first. The texts of a listed task are omitted. */
const MEMBERS = ['task', 'rest', 'query', 'variables', 'pages', 'sent', 'fresh', 'view'];
/** The name of the task with the user's own texts. */
export const OWN = 'own';
/** The maximum number of pages of a list. */
const MOST_PAGES = 1000;

/** Returns the listed task whose texts are in the editors; undefined for other texts. */
export function taskOf({ rest, query, variables }) {
  return TASKS.find((task) => task.rest === rest && task.query === query && (task.variables ?? '') === variables);
}

/** Returns the texts of a task for the editors; empty texts without a task. */
export const texts = (task) => ({ rest: task?.rest ?? '', query: task?.query ?? '', variables: task?.variables ?? '' });

/** Returns the maximum number of pages of a list that a task requests. */
export const pagesOf = (task) => task?.pages ?? 1;

/** Returns the number of pages that the user entered; undefined if the text is not a valid number. */
export function readPages(text) {
  const pages = Number(text);
  return Number.isInteger(pages) && pages > 0 ? Math.min(pages, MOST_PAGES) : undefined;
}

/** Returns true if the address contains a state. A link to a place on the page does not contain a state. */
export const isStateInAddress = () => stateInAddress(MEMBERS) !== null;

/** Returns the state in the address. The default is the first task, or empty texts if there are no tasks. */
export function stateToShow() {
  const said = stateInAddress(MEMBERS) ?? {};
  const listed = TASKS.find(({ name }) => name === said.task);
  const { rest, query, variables } = said.task === OWN ? said : texts(listed ?? TASKS[0]);
  const pages = readPages(said.pages) ?? pagesOf(listed);
  return { rest, query, variables, pages, sent: said.sent === 'hash' ? 'hash' : 'post', fresh: said.fresh === 'yes', view: said.view === 'screen' ? 'screen' : 'task' };
}

/** Writes the state into the address. */
export function keepState({ rest, query, variables, pages, sent, fresh, view }) {
  const task = taskOf({ rest, query, variables });
  showInAddress({
    task: task?.name ?? OWN,
    ...(task ? {} : { rest, query, variables }),
    pages: pages === pagesOf(task) ? '' : String(pages),
    sent: sent === 'hash' ? sent : '', fresh: fresh ? 'yes' : '', view: view === 'screen' ? view : '',
  });
}
