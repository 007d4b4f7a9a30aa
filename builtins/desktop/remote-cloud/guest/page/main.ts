// Starts the page of a guest who connects through a relay.
import { element } from '#guest/elements.ts';
import { startGuest } from '#guest/start.ts';
import { createRelayTransport, linkIn } from './relay-transport.ts';

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
