// Starts the page: finds the token, makes the client, draws.
import './kit/set-nonce.ts';
import './kit/tokens.css';
import './kit/base.css';
import { createClient } from 'agent-harness/client';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ClientContext } from './kit/hooks.ts';
import { readBrought } from './frame/sign-in/brought-token.ts';
import { registerWorker } from './frame/register-worker.ts';

const brand = document.title;
const given = document.querySelector<HTMLMetaElement>('meta[name$="-web-auth"]')?.content;
const brought = readBrought(location.href);
if (brought) {
  history.replaceState(history.state, '', brought.address);
  // The server knows it, and the next visit comes without it.
  if (brought.token !== '' && brought.token === given) localStorage.setItem('token', brought.token);
}
const token = given ?? localStorage.getItem('token') ?? undefined;
const client = createClient({
  origin: location.origin,
  ...(token === undefined ? {} : { token }),
  kept: localStorage,
  // A hidden page is not drawn, but its title and notifications go on.
  schedule: (work) => (document.hidden ? void setTimeout(work, 50) : void requestAnimationFrame(work)),
});
void client.start();

createRoot(document.getElementById('root') as HTMLElement).render(
  <ClientContext value={client}>
    <App brand={brand} hasToken={token !== undefined} />
  </ClientContext>,
);
registerWorker();
