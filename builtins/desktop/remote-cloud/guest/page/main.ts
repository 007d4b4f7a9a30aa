// Starts the page of a guest who connects through a relay.
import { element } from '#guest/elements.ts';
import { startGuest } from '#guest/start.ts';
import type { RelayLink } from '#lib/relay-calls';
import { secretIn } from '#lib/sealed-link';
import { createRelayTransport } from '../relay-transport.ts';

const kept = 'remote-cloud';

const root = document.getElementById('root') as HTMLElement;
const link = linkIn(location, sessionStorage);
if (link) startGuest(root, createRelayTransport(link));
else {
  root.replaceChildren(
    element(
      'main',
      { class: 'join' },
      element('h1', {}, document.title),
      element('p', {}, 'This link is incomplete: the part after # is missing.'),
      element(
        'p',
        { class: 'quiet' },
        'That part is the encryption key of the session. It is never sent to this site and cannot be restored here. Ask for the whole link, or scan its QR code again.',
      ),
    ),
  );
}

/**
 * Reads the code and the secret from the address; `undefined` if the secret is missing. Removes the secret from the address bar and stores it for the lifetime
 * of the tab, so that the page can be reloaded.
 */
function linkIn(place: Pick<Location, 'pathname' | 'hash' | 'origin'>, storage: Storage): RelayLink | undefined {
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
