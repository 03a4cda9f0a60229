import { showInAddress, stateInAddress } from '../explorer/link.js';
import { TASKS } from './tasks.js';

/** What the address has of the page's state. `task` comes first; of a task as it is listed the texts are left out. */
const MEMBERS = ['task', 'rest', 'query', 'variables', 'pages', 'sent', 'fresh', 'view'];
/** The task of somebody's own. */
export const OWN = 'own';
/** Most pages of a list. */
const MOST_PAGES = 1000;

/** The task that is written in the editors; undefined if it is none of the list. */
export function taskOf({ rest, query, variables }) {
  return TASKS.find((task) => task.rest === rest && task.query === query && (task.variables ?? '') === variables);
}

/** The texts of a task, as the editors have them; empty without one. */
export const texts = (task) => ({ rest: task?.rest ?? '', query: task?.query ?? '', variables: task?.variables ?? '' });

/** How many pages of a list a task asks for, at most. */
export const pagesOf = (task) => task?.pages ?? 1;

/** A number of pages as somebody has written it; undefined if it is none. */
export function readPages(text) {
  const pages = Number(text);
  return Number.isInteger(pages) && pages > 0 ? Math.min(pages, MOST_PAGES) : undefined;
}

/** Whether the address asks for a state; one that leads to a place on the page does not. */
export const isStateInAddress = () => stateInAddress(MEMBERS) !== null;

/** The state that the address asks for; the first task where it says nothing, and nothing to send if there are no tasks. */
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
