const KEY = 'duet.token';
/** The characters of a token (RFC 6750, section 2.1, and all other characters that are valid in a header field). */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * The access token that the user has entered. The page sends it with each request to its server. It is stored for the
 * tab (`sessionStorage`), so that it is lost when the tab is closed. It is never a part of the address. If the browser
 * does not allow the storage, the token is lost when the page is closed or loaded again.
 */
class AccessToken extends EventTarget {
  constructor(storage = availableStorage()) {
    super();
    this.storage = storage;
    this.text = storage?.getItem(KEY) ?? '';
  }

  /** The header fields that a request has because of the token. */
  get fields() {
    return this.text ? { Authorization: `Bearer ${this.text}` } : {};
  }

  /**
   * Replaces the token. An empty text removes it.
   *
   * @returns {boolean} true if the browser stores the token, so that the page can be loaded again
   * @throws {Error} with a message for users if the text is not a token
   */
  set(text) {
    const token = text.trim().replace(/^Bearer\s+/i, '');
    if (token && !TOKEN.test(token)) throw new Error('A token consists of letters, digits and punctuation, without spaces.');
    this.text = token;
    try {
      if (token) this.storage?.setItem(KEY, token);
      else this.storage?.removeItem(KEY);
      return this.storage !== null;
    } catch {
      // The storage is full.
      return false;
    }
  }

  /** Reports the response to a request with the status 401 or 403, as an event `refused` with the `detail` of the view. */
  refused(response) {
    const field = response.headers.get('WWW-Authenticate') ?? '';
    const reason = field.match(/error_description="((?:[^"\\]|\\.)*)"/)?.[1].replaceAll(/\\(.)/g, '$1') ?? '';
    this.dispatchEvent(new CustomEvent('refused', { detail: { status: response.status, reason } }));
  }
}

/** The token of this page. */
export const accessToken = new AccessToken();

/**
 * Sends a request like `fetch`, with the token of the user. Other servers do not receive the token.
 *
 * @param {string} address an address of this server
 */
export async function fetchAsCaller(address, options = {}) {
  const isOwn = new URL(address, window.location.href).origin === window.location.origin;
  const response = await fetch(address, isOwn ? { ...options, headers: { ...options.headers, ...accessToken.fields } } : options);
  if (isOwn && [401, 403].includes(response.status)) accessToken.refused(response);
  return response;
}

/** Returns the storage of the tab; null if the browser does not allow access to it. */
function availableStorage() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
