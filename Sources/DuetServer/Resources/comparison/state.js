import { showInAddress, stateInAddress } from '../explorer/link.js';
import { TASKS } from './tasks.js';

/** What the address has of the page's state. `task` comes first; of a task as it is listed the texts are left out. */
const MEMBERS = ['task', 'rest', 'query', 'variables', 'sent', 'fresh', 'view'];
/** The task of somebody's own. */
export const OWN = 'own';

/** The task that is written in the editors; undefined if it is none of the list. */
export function taskOf({ rest, query, variables }) {
  return TASKS.find((task) => task.rest === rest && task.query === query && (task.variables ?? '') === variables);
}

/** The texts of a task, as the editors have them. */
export const texts = ({ rest, query, variables }) => ({ rest, query, variables: variables ?? '' });

/** The state that the address asks for; the first task where it says nothing. */
export function stateToShow() {
  const said = stateInAddress(MEMBERS) ?? {};
  const listed = TASKS.find(({ name }) => name === said.task);
  const { rest, query, variables } = said.task === OWN ? said : texts(listed ?? TASKS[0]);
  return { rest, query, variables, sent: said.sent === 'hash' ? 'hash' : 'post', fresh: said.fresh === 'yes', view: said.view === 'people' ? 'people' : 'task' };
}

/** Writes the state into the address. */
export function keepState({ rest, query, variables, sent, fresh, view }) {
  const task = taskOf({ rest, query, variables });
  showInAddress({
    task: task?.name ?? OWN,
    ...(task ? {} : { rest, query, variables }),
    sent: sent === 'hash' ? sent : '', fresh: fresh ? 'yes' : '', view: view === 'people' ? view : '',
  });
}
