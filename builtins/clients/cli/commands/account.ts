// `login`, `logout` and `account`: through the running server where there is one, so that it knows at once.
import { setTimeout as delay } from 'node:timers/promises';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer, withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { alignColumns } from '../table.ts';

interface AccountReply {
  readonly connected: boolean;
  readonly account: { readonly email: string; readonly source: string; readonly connectedAt: string } | null;
  readonly tier: string;
  readonly status: string;
  readonly expiresAt?: string;
  readonly org?: string;
  readonly seats?: number;
  readonly entitlements: readonly string[];
  readonly message?: string;
}

const pollMs = 1_000;
/** As long as the server accepts the answer of the sign-in page. */
const loginWaitMs = 300_000;

export const login: RunCommand = async (parts, { options, signal }, output) => {
  const license = options['token'];
  if (typeof license !== 'string') return withServer(parts, signal, (client) => loginInBrowser(client, signal, output));
  const running = await findServer(parts);
  if (!running) await parts.services.license.apply(license, 'browser');
  else {
    const { state } = await running.client.call<{ state: string }>('GET', '/api/hub/connect/begin');
    await running.client.call('POST', '/api/hub/auth/callback', { token: license, state });
  }
  return report(parts, output);
};

export const logout: RunCommand = async (parts, _input, output) => {
  const running = await findServer(parts);
  if (running) await running.client.call('POST', '/api/hub/logout');
  else await parts.services.license.clear();
  return report(parts, output);
};

export const account: RunCommand = async (parts, { options }, output) => {
  if (options['json'] !== true) return report(parts, output);
  output.out(`${JSON.stringify(await readAccount(parts), undefined, 2)}\n`);
  return exitCodes.done;
};

async function loginInBrowser(client: Client, signal: AbortSignal, output: CliOutput): Promise<number> {
  const before = JSON.stringify(await client.call<AccountReply>('GET', '/api/hub/account'));
  const { connectUrl } = await client.call<{ connectUrl: string }>('GET', '/api/hub/connect/begin');
  output.out(`Open this address in a browser and sign in there:\n\n  ${connectUrl}\n\nWaiting for at most 5 minutes; Ctrl-C gives up.\n`);
  for (const giveUpAt = Date.now() + loginWaitMs; Date.now() < giveUpAt && !signal.aborted;) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
    const now = await client.call<AccountReply>('GET', '/api/hub/account');
    if (now.connected && JSON.stringify(now) !== before) return print(now, output);
  }
  output.err('Nobody signed in; nothing has changed.\n');
  return exitCodes.failed;
}

async function report(parts: CliParts, output: CliOutput): Promise<number> {
  return print(await readAccount(parts), output);
}

async function readAccount(parts: CliParts): Promise<AccountReply> {
  const running = await findServer(parts);
  if (running) return running.client.call<AccountReply>('GET', '/api/hub/account');
  const { license } = parts.services;
  const connected = license.account();
  return { connected: connected !== null, account: connected, ...license.state() };
}

function print({ account: connected, tier, status, expiresAt, org, seats, entitlements, message }: AccountReply, output: CliOutput): number {
  output.out(
    alignColumns([
      ['account', connected ? `${connected.email} (since ${connected.connectedAt.slice(0, 10)}, ${connected.source})` : 'none'],
      ['tier', tier],
      ['status', status],
      ...(org === undefined ? [] : [['org', seats === undefined ? org : `${org} (${seats} ${seats === 1 ? 'seat' : 'seats'})`]]),
      ...(expiresAt === undefined ? [] : [['expires', expiresAt]]),
      ...(entitlements.length > 0 ? [['unlocks', entitlements.join(', ')]] : []),
      ...(message === undefined ? [] : [['note', message]]),
    ]),
  );
  return exitCodes.done;
}
