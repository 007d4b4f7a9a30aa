// Requests to the server this page came from, always with the token in a header.

const storageKey = 'web-token';
let token = document.querySelector('meta[name$="-web-auth"]')?.getAttribute('content') ?? sessionStorage.getItem(storageKey) ?? '';

// A token in the address would stay in the history; the tab keeps it instead.
if (/[?&](?:authToken|token)=/.test(location.search)) {
  if (token !== '') sessionStorage.setItem(storageKey, token);
  history.replaceState(null, '', location.pathname);
}

/** What a failed request throws: the server's own sentence, and its code. */
export class ApiError extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {string} text kept until the tab is closed */
export function useToken(text) {
  token = text.trim();
  sessionStorage.setItem(storageKey, token);
}

export function forgetToken() {
  token = '';
  sessionStorage.removeItem(storageKey);
}

/** @returns {Record<string, string>} */
export function authHeaders() {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} the parsed reply; rejects with ApiError, or with a TypeError when the server cannot be reached
 */
export async function call(method, path, body) {
  const reply = await fetch(path, {
    method,
    headers: { ...authHeaders(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = await reply.json().catch(() => ({}));
  if (reply.ok) return parsed;
  const { code = 'unknown', message = `The server answered ${reply.status}.` } = parsed.error ?? {};
  throw new ApiError(reply.status, code, message);
}

/** @param {string} path @param {Record<string, string | undefined>} query */
export function withQuery(path, query) {
  const given = Object.entries(query).filter((entry) => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(/** @type {any} */ (given))}`;
}
