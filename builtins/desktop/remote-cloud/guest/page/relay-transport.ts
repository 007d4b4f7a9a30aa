// Connects to the host through a relay: takes the code from the path of the address, and the secret from its fragment, which no server receives.
import type { GuestTransport } from '#guest/transport.ts';
import { secretIn } from '#lib/sealed-link';
import { joinCloud, type CloudGuest } from '../cloud-guest.ts';

export interface CloudLink {
  readonly origin: string;
  readonly code: string;
  readonly secret: Uint8Array;
}

const kept = 'remote-cloud';

/**
 * Reads the code and the secret from the address; `undefined` if the secret is missing. Removes the secret from the address bar and stores it for the lifetime
 * of the tab, so that the page can be reloaded.
 */
export function linkIn(place: Pick<Location, 'pathname' | 'hash' | 'origin'>, storage: Storage): CloudLink | undefined {
  const code = decodeURIComponent(place.pathname.split('/').pop() ?? '');
  const given = /^#k=([\w-]+)$/.exec(place.hash)?.[1];
  const [keptCode, keptText = ''] = (storage.getItem(kept) ?? '').split(' ');
  const text = given ?? (keptCode === code ? keptText : '');
  const secret = secretIn(text);
  if (!secret) return undefined;
  storage.setItem(kept, `${code} ${text}`);
  // Keeps the secret out of the history and of screenshots.
  if (given !== undefined) history.replaceState(null, '', place.pathname);
  return { origin: place.origin, code, secret };
}

export function createRelayTransport({ origin, code, secret }: CloudLink): GuestTransport {
  let guest: CloudGuest | undefined;
  return {
    code,
    words: () => guest?.words,
    // The session keys ended with the previous page, so the guest joins again.
    resume: () => undefined,
    async join(given, name) {
      guest?.leave();
      guest = await joinCloud({ origin, code: given, secret, name });
      return { token: guest.token, role: guest.role, expiresAt: guest.expiresAt };
    },
    connect() {
      if (!guest) throw new Error('No viewer has joined.');
      return guest.connect();
    },
    forget() {
      guest?.leave();
      guest = undefined;
    },
  };
}
