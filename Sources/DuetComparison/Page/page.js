import { makeAccessView } from '../explorer/access-view.js';
import { copy } from '../explorer/clipboard.js';
import { curlCommand } from '../explorer/curl.js';
import { Editor } from '../explorer/editor.js';
import { byId, element, setText } from '../explorer/element.js';
import { graphqlPieces, jsonPieces } from '../explorer/highlight.js';
import { problemInJSON } from '../explorer/json.js';
import { showProblems } from '../explorer/problem-list.js';
import { problemsIn } from '../explorer/validation.js';
import { graphQLRequests } from './graphql-side.js';
import { loadKeys } from './keys.js';
import { onlyReads } from './repetition.js';
import { readRequestLines, requestPieces } from './request-lines.js';
import { makeScreen } from './screen-view.js';
import { OWN, isStateInAddress, keepState, pagesOf, readPages, stateToShow, taskOf, texts } from './state.js';
import { TaskRun } from './task-run.js';
import { TASKS, loadTasks } from './tasks.js';

/** The time without typing, in milliseconds, after which the texts are checked. */
const PAUSE = 200;
/** The messages if there are no tasks. */
const NO_ROWS = 'There are no tasks, because no table with a key has rows. Write your own requests, or reload the page when a table has rows.';
const ROW_BY_ROW = 'Each task of the server needs a request for each row of a response. This page does not send such requests. Write your own requests.';

const editors = {
  rest: new Editor('rest', requestPieces),
  query: new Editor('query', graphqlPieces),
  variables: new Editor('variables', jsonPieces),
};
const picker = byId('task');
/** The name of the current tab. */
let view = 'task';
/** Shows the panel of a tab. Without a task that declares a screen, there is only the panel of the tasks. */
let showView = () => {};
/** The message if there are no tasks. */
let emptyNote = '';
/** The watched requests; null until the user first watches requests. */
let live = null;

/** The trial of writes; null if the API permits no writes that the server can undo. */
let trial = null;

/**
 * The state, as text, of a page that was opened without a state in the address; null after the first change. The page
 * does not write this state into the address, so that a reload opens the page in the same way.
 */
let opened = null;

const announce = (text) => { byId('announcement').textContent = text; };
const taskRun = new TaskRun(announce);

// MARK: State

function state() {
  return {
    rest: editors.rest.text, query: editors.query.text, variables: editors.variables.text,
    pages: readPages(byId('pages').value) ?? 1, sent: byId('sent').value, fresh: !byId('revalidate').checked, view,
  };
}

/** The fragment of the address that the page read or wrote last. */
let knownFragment = window.location.hash;

/**
 * Writes the state into the address. If the user has changed the address, the function does nothing: the event
 * `hashchange` follows, and the page then shows the state in the address.
 */
function keep() {
  if (window.location.hash !== knownFragment) return;
  if (opened !== null && JSON.stringify(state()) === opened) return;
  opened = null;
  keepState(state());
  knownFragment = window.location.hash;
}

/** Writes another task into the editors, and stops the current run. */
function write(task) {
  taskRun.drop();
  // The choice to keep a change applies only to the requests that were shown when it was made.
  trial?.reset();
  showRunning(false);
  for (const [name, editor] of Object.entries(editors)) {
    editor.text = task[name];
    editor.field.setSelectionRange(0, 0);
  }
  check();
}

function restore() {
  knownFragment = window.location.hash;
  const { pages, sent, fresh, view: restored, ...task } = stateToShow();
  byId('pages').value = String(pages);
  byId('sent').value = sent;
  byId('revalidate').checked = !fresh;
  showView(byId(`tab-${restored}`));
  write(task);
}

/**
 * Shows the state in a changed address. If the address contains no state, the user has followed a link to a place on
 * the page. In this case, the function writes the current state into the address again.
 */
function followAddress() {
  knownFragment = window.location.hash;
  if (isStateInAddress()) restore();
  else keep();
}

/**
 * Checks the texts in the editors, and writes the state into the address.
 *
 * @returns {boolean} true if the requests can be sent
 */
function check() {
  const { rest, query, variables } = state();
  const problem = variables.trim() === '' ? null : problemInJSON(variables);
  const found = { rest: readRequestLines(rest).problems, query: problemsIn(query, null), variables: problem ? [problem] : [] };
  for (const [name, editor] of Object.entries(editors)) {
    editor.mark(found[name]);
    showProblems(byId(`${name}-problems`), found[name], editor);
    editor.field.setAttribute('aria-invalid', String(found[name].length > 0));
  }
  const task = taskOf({ rest, query, variables });
  picker.value = task?.name ?? OWN;
  setText(byId('task-note'), trial?.show({ rest, query }) ?? task?.note ?? emptyNote);
  if (live?.showsOther({ rest, query, variables })) stopLive();
  keep();
  // Problems of a query do not prevent a run, because the server validates the query.
  return found.rest.length === 0 && found.variables.length === 0 && readRequestLines(rest).rounds.length > 0;
}

let pause = 0;
function checkSoon() {
  clearTimeout(pause);
  pause = setTimeout(check, PAUSE);
}

// MARK: Running

/** @param {{isOpening: boolean}} options `isOpening` is true for the run that starts when the page is opened */
async function run({ isOpening = false } = {}) {
  if (taskRun.isRunning) return;
  if (!check()) {
    announce('Nothing was sent, because the requests or the variables are not valid.');
    return;
  }
  announce('');
  showRunning(true);
  try {
    // The run that starts when the page is opened does not cache responses. The user's first run therefore receives no
    // 304.
    const asked = state();
    await taskRun.run({ ...asked, fresh: asked.fresh || isOpening, ...trial?.options(asked) }, taskOf(asked));
  } catch (error) {
    announce(`The page cannot show the responses: ${error.message}.`);
  } finally {
    trial?.reset();
    // A stopped run can end while another run is in progress.
    showRunning(taskRun.isRunning);
  }
}

/** Shows on the button and in `data-run` of the body whether a run is in progress. */
function showRunning(isRunning) {
  document.body.dataset.run = isRunning ? 'running' : 'idle';
  byId('run').classList.toggle('running', isRunning);
  byId('run-word').textContent = isRunning ? 'Stop' : 'Run both';
}

// MARK: Watching

/** Watches the requests of both sides, or ends the current watch. */
async function toggleLive() {
  if (live?.isOn) return stopLive();
  if (!check()) return announce('Nothing is watched, because the requests or the variables are not valid.');
  try {
    // Most users do not watch requests, so the page loads the module on demand.
    const { LiveRun } = await import('./live-run.js');
    live ??= new LiveRun((reason) => {
      showLive();
      announce(`Nothing is watched any longer. ${reason}`);
    });
    if (!live.isOn) live.start(state());
    announce('');
    showLive();
  } catch (error) {
    announce(`Nothing is watched: ${error.message}.`);
  }
}

function stopLive() {
  live.stop();
  showLive();
}

/** Shows on the button whether requests are watched. */
function showLive() {
  byId('live').setAttribute('aria-pressed', String(live.isOn));
}

// MARK: Copying

/** @param {string} side `rest` or `graphql` */
function copyCommands(requests, side) {
  const { kept, tried } = trial?.options(state()) ?? {};
  const sent = tried && kept !== side ? requests.map(tried) : requests;
  const commands = sent.map((request) => curlCommand(new URL(request.target, window.location.href).href, request));
  copy(commands.join('\n'), commands.length === 1 ? 'The curl command' : 'The list of curl commands', announce);
}

async function copyGraphQL() {
  try {
    copyCommands(await graphQLRequests(state()), 'graphql');
  } catch (error) {
    announce(`There is no command to copy: ${error.message}.`);
  }
}

// MARK: Start

/**
 * Shows the state in the address. Without a state, it shows and runs the first task, unless the task writes.
 *
 * @param {boolean} hasFailed true if the tasks cannot be loaded. The state in the address is then not replaced, so that
 *   the page shows its task when it is loaded again, for example with a token
 */
function start(hasFailed) {
  picker.append(...TASKS.map(({ name, task }) => element('option', { value: name }, task)), element('option', { value: OWN }, 'Your own task: write requests on both sides.'));
  picker.addEventListener('change', () => {
    const task = TASKS.find(({ name }) => name === picker.value);
    if (!task) return;
    byId('pages').value = String(pagesOf(task));
    write(texts(task));
  });
  for (const editor of Object.values(editors)) editor.addEventListener('input', checkSoon);
  byId('pages').addEventListener('change', () => { byId('pages').value = String(state().pages); });
  for (const identifier of ['pages', 'sent', 'revalidate']) byId(identifier).addEventListener('change', check);
  // The tab is written into the address when the user chooses it, not while the address is read.
  for (const event of ['click', 'keyup']) byId('views').addEventListener(event, keep);
  byId('run').addEventListener('click', () => (taskRun.isRunning ? taskRun.stop() : run()));
  byId('live').addEventListener('click', toggleLive);
  byId('rest-curl').addEventListener('click', () => copyCommands(readRequestLines(editors.rest.text).rounds.flat(), 'rest'));
  byId('graphql-curl').addEventListener('click', copyGraphQL);
  byId('copy-link').addEventListener('click', () => {
    opened = null;
    check();
    copy(window.location.href, 'The link', announce);
  });
  window.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter' && view === 'task') {
      event.preventDefault();
      run();
    }
  });
  window.addEventListener('hashchange', followAddress);
  const screen = TASKS.find((task) => task.screen)?.screen;
  if (screen) showView = makeScreen(screen, (tab) => { view = tab.dataset.view; });
  const hasState = isStateInAddress();
  if (hasFailed) opened = JSON.stringify({ ...stateToShow(), view: 'task' });
  else if (!hasState) opened = JSON.stringify(stateToShow());
  restore();
  if (!hasState && TASKS.length > 0 && !TASKS[0].changes && onlyReads(state())) run({ isOpening: true });
  document.body.dataset.state = 'ready';
}

/** Loads the tasks and starts the page. Without tasks, users can still send their own requests. */
async function load() {
  const results = await Promise.allSettled([loadTasks(), loadKeys()]);
  const failed = results.find(({ status }) => status === 'rejected');
  // The server says so in the HTML, because requests of users can write without a task that writes.
  if (document.body.dataset.writes === 'on') {
    const { WriteTrial } = await import('./write-trial.js');
    trial = new WriteTrial(check);
  }
  if (!failed && TASKS.length === 0) emptyNote = results[0].value === 0 ? NO_ROWS : ROW_BY_ROW;
  start(failed !== undefined);
  if (failed) announce(`The tasks cannot be loaded: ${failed.reason.message}. Reload the page to try again.`);
}

makeAccessView(() => { if (document.body.dataset.state === 'ready') keep(); });
load();
