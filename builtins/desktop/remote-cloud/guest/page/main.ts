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
      element('p', {}, 'This link is not complete: the part behind # is missing.'),
      element(
        'p',
        { class: 'quiet' },
        'That part is the key to what the other machine shows. It is never sent to this site, so nothing here can make up for it. Ask for the whole link, or scan its picture again.',
      ),
    ),
  );
}
