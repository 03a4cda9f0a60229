import { accessToken } from './access-token.js';
import { byId, setText } from './element.js';

/**
 * Shows the access token of the page in its header. The view is closed until the user opens it, or until the server
 * refuses a request. If the token changes, the page is loaded again, so that it has no data of the former caller.
 *
 * @param {function()} changing called before the page is loaded again
 */
export function makeAccessView(changing) {
  const view = byId('access');
  const field = byId('access-token');
  const note = (text) => setText(byId('access-note'), text);

  const use = (text) => {
    let isStored;
    try {
      isStored = accessToken.set(text);
    } catch (error) {
      note(error.message);
      return;
    }
    field.value = '';
    if (isStored) {
      changing();
      window.location.reload();
      return;
    }
    show();
    note('The browser does not store the token. The page sends it until the page is closed.');
  };

  const show = () => {
    const isSet = accessToken.text !== '';
    setText(byId('access-state'), isSet ? 'Token in use' : 'Token');
    byId('access-remove').hidden = !isSet;
    note(isSet ? 'The page sends a token with each request until the tab is closed.' : 'If the server requires an access token, enter it here.');
  };

  byId('access-use').addEventListener('click', () => use(field.value));
  byId('access-remove').addEventListener('click', () => use(''));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    use(field.value);
  });
  view.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    view.open = false;
    view.querySelector('summary').focus();
  });
  accessToken.addEventListener('refused', ({ detail }) => {
    view.open = true;
    note(refusal(detail));
  });
  show();
}

/** Returns a message for users about a refused request. */
function refusal({ status, reason }) {
  const sentence = (words) => `${words}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`;
  if (status === 403) return `${sentence('The server refused a request (403)')} A different token may permit it.`;
  return sentence(accessToken.text ? 'The server does not accept the token (401)' : 'The server requires an access token (401)');
}
