// The way through a relay: the code stands in the path of the address, the secret behind #, where no server sees it.
import type { GuestWay } from '#guest/transport.ts';
import { secretIn } from 'agent-harness/lib/sealed-link';
import { joinCloud, type CloudGuest } from '../cloud-guest.ts';

export interface CloudLink {
  readonly origin: string;
  readonly code: string;
  readonly secret: Uint8Array;
}

const kept = 'remote-cloud';

/** `undefined` where the secret is missing. It leaves the address bar, and stays for as long as the tab does, so that the page can be loaded again. */
export function linkIn(place: Pick<Location, 'pathname' | 'hash' | 'origin'>, storage: Storage): CloudLink | undefined {
  const code = decodeURIComponent(place.pathname.split('/').pop() ?? '');
  const given = /^#k=([\w-]+)$/.exec(place.hash)?.[1];
  const [keptCode, keptText = ''] = (storage.getItem(kept) ?? '').split(' ');
  const text = given ?? (keptCode === code ? keptText : '');
  const secret = secretIn(text);
  if (!secret) return undefined;
  storage.setItem(kept, `${code} ${text}`);
  // Not in the history, and not in a picture of the screen.
  if (given !== undefined) history.replaceState(null, '', place.pathname);
  return { origin: place.origin, code, secret };
}

export function createRelayTransport({ origin, code, secret }: CloudLink): GuestWay {
  let guest: CloudGuest | undefined;
  return {
    code,
    words: () => guest?.words,
    // The keys of a seat were in the page that is gone, so a new seat is taken.
    resume: () => undefined,
    async join(given, name) {
      guest?.leave();
      guest = await joinCloud({ origin, code: given, secret, name });
      return { token: guest.token, role: guest.role, expiresAt: guest.expiresAt };
    },
    connect() {
      if (!guest) throw new Error('Nobody has joined.');
      return guest.connect();
    },
    forget() {
      guest?.leave();
      guest = undefined;
    },
  };
}
