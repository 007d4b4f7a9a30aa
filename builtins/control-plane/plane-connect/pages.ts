// Renders the HTML pages for connecting an account. They are rendered on the server; their only script sends the tokens to the service.
import { randomBytes } from 'node:crypto';
import { escapeHtml } from '#lib/text';

export interface Page {
  readonly title: string;
  /** Escaped HTML. */
  readonly body: string;
  readonly script?: string;
  /** The only address to which the script may send data. */
  readonly connectTo?: string;
  readonly status?: number;
  /** Whether the page may submit forms to this site. */
  readonly hasForm?: true;
}

export interface MadePage {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.25rem}
h1{font-size:1.375rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}
button,.button{font:inherit;display:inline-block;padding:.625rem 1.25rem;min-height:44px;box-sizing:border-box;border:1px solid;border-radius:.5rem;cursor:pointer;text-decoration:none}`;

/** Builds a page with its headers, including the content security policy. */
export function makePage({ title, body, script, connectTo, status = 200, hasForm }: Page): MadePage {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main>${script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`}</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : [`script-src 'nonce-${nonce}'`]),
    ...(connectTo === undefined ? [] : [`connect-src ${connectTo}`]),
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status,
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      // Without a referrer, a form would be sent with the origin `null`, which is refused.
      'referrer-policy': hasForm ? 'same-origin' : 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
  };
}

/** Serialises JSON for use inside a script element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export interface ConsentRequest {
  readonly provider: string;
  readonly title: string;
  readonly email: string;
  readonly org: string;
  readonly mode: 'read_write' | 'read_only';
  readonly redirectUri: string;
  readonly state: string;
}

/** Renders the page that names the requesting service and the requested access, before anything happens. */
export function consentPage({ provider, title, email, org, mode, redirectUri, state }: ConsentRequest): MadePage {
  const rows = [
    ['You', `${email}, ${org}`],
    ['Requested by', `a service on this machine, ${new URL(redirectUri).host}`],
    ['Access', mode === 'read_only' ? 'read' : 'read and write'],
  ] as const;
  const fields = { state, mode, redirect_uri: redirectUri };
  return makePage({
    title: `Connect ${title}`,
    hasForm: true,
    body: `<p>A service requests access to your account at ${escapeHtml(title)}. Continue only if you started this yourself.</p>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
<form method="post" action="/connect/${encodeURIComponent(provider)}">
${Object.entries(fields)
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  .join('\n')}
<p><button>Continue to ${escapeHtml(title)}</button></p></form>`,
  });
}

/**
 * Renders a page that redirects to the provider. A separate page, because the content security policy of a page with a form would also restrict the provider's
 * redirects.
 */
export function leavingPage(title: string, url: string): MadePage {
  const address = escapeHtml(url);
  return makePage({
    title: `Redirecting to ${title}`,
    body: `<meta http-equiv="refresh" content="0;url=${address}"><p><a class="button" href="${address}" rel="noreferrer">Continue to ${escapeHtml(title)}</a></p>`,
  });
}

/** Renders a page that sends the tokens to the service and discards them. */
export function handOverPage(title: string, redirectUri: string, handOff: object): MadePage {
  const script = `(async () => {
  history.replaceState(null, '', location.pathname);
  const status = document.getElementById('status');
  try {
    const reply = await fetch(${scriptJson(redirectUri)}, { method: 'POST', credentials: 'omit', headers: { 'content-type': 'application/json' }, body: ${scriptJson(JSON.stringify(handOff))} });
    const answer = await reply.json().catch(() => ({}));
    status.textContent = reply.ok ? 'The account is connected. You can close this window.' : 'The service refused the account: ' + (answer.error?.message ?? reply.status);
  } catch {
    status.textContent = 'The service on this machine cannot be reached. Check that it is running, allow this page to reach it if your browser asks, and start again there.';
  }
})();`;
  return makePage({
    title: `Connecting ${title}`,
    connectTo: redirectUri,
    script,
    body: '<p id="status" role="status">Sending the account to your service…</p>',
  });
}

export function faultPage({ message, code }: { readonly message: string; readonly code: string }, status: number): MadePage {
  return makePage({ title: 'Nothing was connected', status, body: `<p role="alert">${escapeHtml(message)}</p><p><small>${escapeHtml(code)}</small></p>` });
}
