// Starts the page: finds the token, creates the client, and renders.
import './kit/set-nonce.ts';
import './kit/tokens.css';
import './kit/base.css';
import { createClient } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { createRoot } from 'react-dom/client';
import { catalogues } from 'virtual:catalogues';
import { App } from './app.tsx';
import { ClientContext } from './kit/hooks.ts';
import { startLanguage } from './kit/language.ts';
import { readUrlToken } from './frame/sign-in/url-token.ts';
import { isServerRemote, keptUnder, serverTransport, type ServerTransport } from './kit/server-transport.ts';
import { registerWorker } from './frame/register-worker.ts';

const addedMs = 2_000;

/** @param transport transport to the server; default: the page's own site is its server */
async function start(transport: ServerTransport | undefined): Promise<void> {
  const token = transport?.token ?? ownToken();
  const client = createClient({
    origin: location.origin,
    ...(token === undefined ? {} : { token }),
    ...(transport ? { fetch: transport.fetch } : {}),
    kept: transport ? keptUnder(transport.keptUnder) : localStorage,
    // A hidden page is not rendered, but its title and notifications are updated.
    schedule: (work) => (document.hidden ? void setTimeout(work, 50) : void requestAnimationFrame(work)),
  });
  void client.start();
  // Waits briefly for the translations of plugins.
  await startLanguage(catalogues, async (language) => {
    const { messages } = await client.call('GET /api/ui/messages', { query: { language }, signal: AbortSignal.timeout(addedMs) });
    return messages;
  });

  createRoot(document.getElementById('root') as HTMLElement).render(
    <ClientContext value={client}>
      <App brand={document.title} hasToken={token !== undefined} />
    </ClientContext>,
  );
  if (!transport) registerWorker();
}

function ownToken(): string | undefined {
  const given = document.querySelector<HTMLMetaElement>('meta[name$="-web-auth"]')?.content;
  const urlToken = readUrlToken(location.href);
  if (urlToken) {
    history.replaceState(history.state, '', urlToken.address);
    // The server accepted the token, and the next visit has no token in the address.
    if (urlToken.token !== '' && urlToken.token === given) localStorage.setItem('token', urlToken.token);
  }
  return given ?? localStorage.getItem('token') ?? undefined;
}

/** Reports that the page has no transport to its server. */
function showFault(fault: unknown): void {
  const line = document.createElement('p');
  line.setAttribute('role', 'alert');
  line.textContent = messageOf(fault);
  document.getElementById('root')?.replaceChildren(line);
}

if (isServerRemote()) void serverTransport().then(start, showFault);
else void start(undefined);
