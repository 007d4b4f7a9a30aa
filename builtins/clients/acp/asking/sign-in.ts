// Signs in from an editor with a code that the user confirms in a browser on any machine.
import { setTimeout as delay } from 'node:timers/promises';
import { textStart } from '#lib/text';
import type { AuthMethod } from '@agentclientprotocol/sdk';
import type { Client } from 'agent-harness/client';
import type { Http } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import type { Abilities } from '../abilities.ts';
import type { Peer } from '../wire/peer.ts';
import { WireError, wireCodes } from '../wire/wire-error.ts';

export interface SignInParts {
  readonly client: Client;
  readonly peer: Peer;
  readonly abilities: Abilities;
  readonly product: Product;
}

const [byCode, byTerminal] = ['login', 'login-terminal'];
const pollMs = 1_000;

/** Returns the sign-in methods; none if sign-in is unavailable. A user's own API key and the demo model need no sign-in. */
export function authMethodsOf(http: Pick<Http, 'has'>, { hasTerminalSignIn }: Abilities): AuthMethod[] {
  if (!http.has('POST /api/hub/device/begin')) return [];
  const description = 'Connects your account with a code. Not needed if you use your own provider key.';
  const method = { id: byCode, name: 'Sign in', description } as AuthMethod;
  const terminal = { id: byTerminal, name: 'Sign in (terminal)', description, type: 'terminal', args: ['login'] } as unknown as AuthMethod;
  return hasTerminalSignIn ? [method, terminal] : [method];
}

/** Rejects if the sign-in is refused, expires or is cancelled. */
export async function signIn({ client, peer, abilities, product }: SignInParts, methodId: string, signal: AbortSignal): Promise<void> {
  if (methodId === byTerminal) throw new WireError(wireCodes.invalidParams, `To sign in, run '${product.command ?? product.name} login' in a terminal.`);
  if (methodId !== byCode) throw new WireError(wireCodes.invalidParams, `Unknown sign-in method '${textStart(methodId, 100)}'.`);
  const { connected } = await client.call('GET /api/hub/account');
  if (connected) return;
  const { userCode, verificationUrl = '' } = await client.call('POST /api/hub/device/begin');
  const message = `Open ${verificationUrl} in a browser on any machine and confirm the code ${userCode}.`;
  process.stderr.write(`${message}\n`);
  const asked = new AbortController();
  if (abilities.asksByUrl) show(peer, { message, url: verificationUrl }, AbortSignal.any([signal, asked.signal]));
  try {
    await untilConfirmed(client, message, signal);
  } finally {
    asked.abort();
  }
}

export async function signOut(client: Client): Promise<void> {
  await client.call('POST /api/hub/logout');
}

/** Shows the message and the address. Only the confirmation of the code counts, regardless of the editor's reply. */
function show(peer: Peer, { message, url }: { readonly message: string; readonly url: string }, signal: AbortSignal): void {
  const elicitationId = crypto.randomUUID();
  peer.request('elicitation/create', { mode: 'url', requestId: null, elicitationId, url, message }, signal).catch(() => undefined);
}

async function untilConfirmed(client: Client, message: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { state, message: why } = await client.call('GET /api/hub/device');
    if (state === 'signed_in') return;
    if (state !== 'waiting') throw new WireError(wireCodes.signInNeeded, why ?? 'The sign-in was not completed.');
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) continue;
    await client.call('POST /api/hub/device/cancel').catch(() => undefined); // the code expires on its own
    throw new WireError(wireCodes.cancelled, `The sign-in was cancelled. ${message}`);
  }
}
