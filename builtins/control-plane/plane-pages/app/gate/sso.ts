// The way to the identity provider of an organisation, and back to where somebody was.
import { refusalOf } from '../base/refusal.ts';

const key = 'after-sign-in';

/** Leaves for the provider. Rejects with what the control plane says where there is none. */
export async function goToProvider(email: string, next: string): Promise<void> {
  const address = `/api/sso/begin?${new URLSearchParams({ email }).toString()}`;
  // A redirect is not followed here: whether there is one is all that is asked.
  const reply = await fetch(address, { redirect: 'manual' });
  if (reply.type !== 'opaqueredirect') throw await refusalOf(reply);
  sessionStorage.setItem(key, next);
  location.assign(address);
}

/** Where somebody was going when they left for the provider; once. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(key) ?? undefined;
  sessionStorage.removeItem(key);
  return next;
}
