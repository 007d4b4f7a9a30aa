// Requests a window from the running server of this home folder.
import type { WindowPorts } from './desktop-window.ts';
import { windowPath, type AskedWindow } from './routes.ts';

/** Resolves with `undefined` if no server runs. Rejects with the server's error if it cannot show the window. */
export async function askForWindow({ http, webToken }: WindowPorts['services'], asked: AskedWindow): Promise<{ url: string; pid: number } | undefined> {
  const running = await http.running();
  if (!running) return undefined;
  const headers = { authorization: `Bearer ${await webToken.current()}`, 'content-type': 'application/json' };
  const reply = await fetch(running.url + windowPath, { method: 'POST', headers, body: JSON.stringify(asked) }).catch(() => undefined);
  if (!reply) return undefined;
  if (reply.ok) {
    await reply.body?.cancel();
    return running;
  }
  const { error } = (await reply.json().catch(() => ({}))) as { readonly error?: { readonly code: string; readonly message: string } };
  const why = reply.status === 404 ? 'it has no window. Restart it.' : (error?.message ?? `it responded with status ${reply.status}.`);
  throw Object.assign(new Error(`The server at ${running.url} runs, but: ${why}`), { code: error?.code });
}
