// Redirects to an organisation's identity provider, and returns to the requested page afterwards.
const key = 'after-sign-in';

/** Redirects to the provider. Rejects with the control plane's error if no identity provider is set up for the e-mail address. */
export async function goToProvider(email: string, next: string): Promise<void> {
  const address = `/api/sso/begin?${new URLSearchParams({ email }).toString()}`;
  // Checks only whether the reply is a redirect; does not follow it.
  const reply = await fetch(address, { redirect: 'manual' });
  if (reply.type !== 'opaqueredirect') throw await refusalOf(reply);
  sessionStorage.setItem(key, next);
  location.assign(address);
}

/** Returns the page that the user requested before the redirect, and removes it from storage. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(key) ?? undefined;
  sessionStorage.removeItem(key);
  return next;
}

/** Reads the control plane's error from the response to an untyped request. */
async function refusalOf(reply: Response): Promise<Error> {
  const body = (await reply.json().catch(() => undefined)) as { readonly error?: { readonly message?: string } } | undefined;
  return new Error(body?.error?.message ?? `The server responded with status ${reply.status}.`);
}
