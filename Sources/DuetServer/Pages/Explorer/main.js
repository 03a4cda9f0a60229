import { makeAccessView } from './access-view.js';
import { CompletionList } from './completion-list.js';
import { copy } from './clipboard.js';
import { curlCommand } from './curl.js';
import { Docs } from './docs.js';
import { Editor } from './editor.js';
import { byId, element } from './element.js';
import { EXAMPLES, examplesFor } from './examples.js';
import { graphqlPieces, jsonPieces } from './highlight.js';
import { HistoryView } from './history-view.js';
import { History } from './history.js';
import { layOutJSON, problemInJSON } from './json.js';
import { showInAddress, stateInAddress } from './link.js';
import { OperationPicker } from './operation-picker.js';
import { SyntaxProblem } from './parser.js';
import { prettify } from './prettify.js';
import { showProblems } from './problem-list.js';
import { ENDPOINT, httpRequest, introspect, send } from './request.js';
import { ResponseView } from './response-view.js';
import { INTROSPECTION_QUERY, Schema } from './schema.js';
import { makeTabs } from './tabs.js';
import { position } from './tokens.js';
import { problemsIn } from './validation.js';

/** The members of the state in the address. */
const MEMBERS = ['query', 'variables', 'operationName'];
/** The time without typing, in milliseconds, after which the text is checked. */
const PAUSE = 200;

const queryEditor = new Editor('query', graphqlPieces);
const variablesEditor = new Editor('variables', jsonPieces);
const picker = new OperationPicker(queryEditor);
const response = new ResponseView(queryEditor);
const history = new History();
const docs = new Docs();
let schema = null;
let running = null;

const announce = (text) => { byId('announcement').textContent = text; };

// MARK: State

function state() {
  return { query: queryEditor.text, variables: variablesEditor.text, operationName: picker.chosen };
}

function restore({ query, variables, operationName }) {
  queryEditor.text = query;
  variablesEditor.text = variables ?? '';
  picker.update();
  picker.chosen = operationName ?? '';
  check();
  queryEditor.field.setSelectionRange(0, 0);
}

/**
 * Shows the state in a changed address. If the address contains no state, the user has followed a link to a place on
 * the page. In this case, the function writes the current state into the address again.
 */
function followAddress() {
  const said = stateInAddress(MEMBERS);
  if (said) restore(said);
  else showInAddress(state());
}

/** Checks the texts in both editors, and writes the state into the address. */
function check() {
  const problems = problemsIn(queryEditor.text, schema);
  queryEditor.mark(problems);
  showProblems(byId('query-problems'), problems, queryEditor);
  checkVariables();
  showInAddress(state());
}

/** @returns {boolean} true if the variables can be sent */
function checkVariables() {
  const { text } = variablesEditor;
  let problem = text.trim() === '' ? null : problemInJSON(text);
  if (!problem && text.trim() !== '' && !text.trim().startsWith('{')) {
    problem = { message: 'Variables are an object: {"name": value}.', start: 0, end: text.length };
  }
  variablesEditor.mark(problem ? [problem] : []);
  showProblems(byId('variables-problems'), problem ? [problem] : [], variablesEditor);
  variablesEditor.field.setAttribute('aria-invalid', String(problem !== null));
  return problem === null;
}

let pause = 0;
function checkSoon() {
  clearTimeout(pause);
  pause = setTimeout(() => {
    picker.update();
    check();
  }, PAUSE);
}

// MARK: Running

function request() {
  picker.update();
  return { query: queryEditor.text, variables: variablesEditor.text, operationName: picker.operationName };
}

async function run() {
  if (running) return;
  if (!checkVariables()) {
    response.failed('The variables are not a JSON object. Nothing was sent.');
    return;
  }
  const controller = new AbortController();
  running = controller;
  showRunning(true);
  response.waiting();
  const asked = request();
  history.add(asked);
  showInAddress(state());
  try {
    for await (const answer of send(httpRequest(asked, picker.asksForParts), controller.signal)) response.show(answer);
  } catch (error) {
    response.failed(controller.signal.aborted ? 'You stopped the request.' : inWords(error));
  } finally {
    running = null;
    showRunning(false);
  }
}

function inWords(error) {
  if (!navigator.onLine) return 'There is no network, so the server cannot be reached.';
  if (error instanceof SyntaxError) return `The response of the server cannot be read: ${error.message}.`;
  return `The server cannot be reached, or it closed the connection (${error.message}).`;
}

function showRunning(isRunning) {
  const button = byId('run');
  button.classList.toggle('running', isRunning);
  byId('run-word').textContent = isRunning ? 'Stop' : 'Run';
  byId('response').setAttribute('aria-busy', String(isRunning));
}

// MARK: Tools

function prettifyQuery() {
  try {
    replaceAll(queryEditor, prettify(queryEditor.text));
    const { text } = variablesEditor;
    if (text.trim() !== '' && !problemInJSON(text)) replaceAll(variablesEditor, layOutJSON(text));
    announce('The query was formatted.');
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { line, column } = position(queryEditor.text, error.start);
    announce(`The query was not formatted, because of a syntax error in line ${line}, column ${column}: ${error.message}`);
  }
}

/** Replaces the text of an editor by an edit that can be undone. The focus does not change. */
function replaceAll(editor, text) {
  if (text === editor.text) return;
  const focused = document.activeElement;
  editor.replace(0, editor.text.length, text, Math.min(editor.caret, text.length));
  focused?.focus();
}

function copyCurl() {
  if (!checkVariables()) {
    announce('The variables are not a JSON object, so there is no command to copy.');
    return;
  }
  const command = curlCommand(new URL(ENDPOINT, window.location.href).href, httpRequest(request(), picker.asksForParts));
  copy(command, 'The curl command', announce);
}

function copyLink() {
  showInAddress(state());
  copy(window.location.href, 'The link', announce);
}

// MARK: Sidebar

function showExamples() {
  const fitting = schema ? examplesFor(schema) : EXAMPLES;
  byId('examples-list').replaceChildren(
    ...fitting.map((example) => {
      const choose = () => {
        restore({ ...example, operationName: '' });
        queryEditor.field.focus();
      };
      return element('li', {}, element('button', { type: 'button', class: 'entry', on: { click: choose } }, element('span', { class: 'entry-title' }, example.title)));
    }),
  );
}

function toggleSidebar() {
  const sidebar = byId('sidebar');
  sidebar.hidden = !sidebar.hidden;
  byId('sidebar-toggle').setAttribute('aria-expanded', String(!sidebar.hidden));
  document.body.classList.toggle('without-sidebar', sidebar.hidden);
}

async function loadSchema() {
  try {
    schema = new Schema(await introspect(INTROSPECTION_QUERY));
    docs.show(schema);
    showFittingExample();
    check();
  } catch (error) {
    docs.unavailable(`The server does not provide its schema, so docs and completions are not available: ${error.message}`);
  }
  showExamples();
  document.body.dataset.schema = schema ? 'known' : 'unknown';
}

/** Replaces the first example if it is not valid for the schema and the user has not changed it. */
function showFittingExample() {
  const [first] = examplesFor(schema);
  if (first && first !== EXAMPLES[0] && queryEditor.text === EXAMPLES[0].query) restore({ ...first, operationName: '' });
}

// MARK: Start

new CompletionList(queryEditor, () => schema);
new HistoryView(history, (entry) => {
  restore(entry);
  queryEditor.field.focus();
});
makeTabs(byId('sidebar-tabs'));
makeAccessView(() => showInAddress(state()));
for (const editor of [queryEditor, variablesEditor]) editor.addEventListener('input', checkSoon);
byId('operation').addEventListener('change', () => showInAddress(state()));
byId('run').addEventListener('click', () => (running ? running.abort() : run()));
byId('prettify').addEventListener('click', prettifyQuery);
byId('copy-curl').addEventListener('click', copyCurl);
byId('copy-link').addEventListener('click', copyLink);
byId('sidebar-toggle').addEventListener('click', toggleSidebar);
window.addEventListener('hashchange', followAddress);
window.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
    event.preventDefault();
    run();
  }
});
showExamples();
restore(stateInAddress(MEMBERS) ?? { ...EXAMPLES[0], operationName: '' });
loadSchema();
