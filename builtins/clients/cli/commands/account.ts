// Implements `login`, `logout` and `account`, through the running server if there is one, which is then updated immediately.
import { countWithNoun } from '#lib/text';
import { setTimeout as delay } from 'node:timers/promises';
import { sentencesOf } from '#lib/errors';
import { isPlaceholderName } from '#lib/hosts';
import { normalizeKey, tryNormalize } from '#lib/setting-texts';
import { recordIn } from '#lib/values';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer, withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { hasBrowser, showInBrowser } from '../show-in-browser.ts';
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
  readonly advice?: string;
}

const pollMs = 1_000;
/** Time limit for a server to reload `.env`, in milliseconds. */
const takeOverMs = 10_000;
/** Time without progress, in milliseconds, after which alternatives are shown. */
const hintMs = 8_000;

export const login: RunCommand = async (parts, { options, signal }, output) => {
  const site = options['site'];
  const { text: license, fault } = typeof options['token'] === 'string' ? tryNormalize(normalizeKey, options['token']) : {};
  if (fault !== undefined) return refuseUse(output, `--token ${fault}`);
  if (typeof site === 'string') {
    const { trustPlane } = await import('../trust-plane.ts');
    const fingerprint = typeof options['fingerprint'] === 'string' ? options['fingerprint'] : undefined;
    const stopped = await trustPlane(parts, { site, fingerprint }, signal, output);
    if (stopped !== undefined) return stopped;
  }
  const isByCode = options['device'] === true || !hasBrowser(process.env, process.platform);
  if (typeof license !== 'string') {
    const way = isByCode ? loginByCode : loginInBrowser;
    return withServer(parts, signal, async (client) => {
      if (typeof site === 'string') await untilServedBy(client, site, signal);
      return way(client, signal, output, { opens: output.isTerminal && options['no-browser'] !== true });
    });
  }
  const running = await findServer(parts);
  if (!running) await parts.services.license.apply(license, 'browser');
  else {
    if (typeof site === 'string') await untilServedBy(running.client, site, signal);
    const { state } = await running.client.call<{ state: string }>('GET', '/api/hub/connect/begin');
    await running.client.call('POST', '/api/hub/auth/callback', { token: license, state });
  }
  return report(parts, output);
};

/** Waits until the running server has applied the current `.env`. After the time limit, returns anyway: the sign-in then reports the state. */
async function untilServedBy(client: Client, site: string, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(takeOverMs)]);
  while (!late.aborted) {
    const { connectUrl } = await client.call<{ connectUrl: string }>('GET', '/api/hub/connect/begin');
    if (connectUrl.startsWith(`${site.replace(/\/+$/, '')}/connect/`)) return;
    await delay(pollMs, undefined, { signal: late }).catch(() => undefined);
  }
}

export const logout: RunCommand = async (parts, _input, output) => {
  const { revoked, message } = await signOut(parts);
  if (revoked) output.out('The control plane no longer accepts the license.\n');
  if (message !== undefined) output.err(`${message}\n`);
  return report(parts, output);
};

interface SignedOutReply {
  readonly revoked?: boolean;
  readonly message?: string;
}

async function signOut(parts: CliParts): Promise<SignedOutReply> {
  const { http, license } = parts.services;
  const running = await findServer(parts);
  if (running) return running.client.call<SignedOutReply>('POST', '/api/hub/logout');
  if (!http.has('POST /api/hub/logout')) {
    await license.clear();
    return {};
  }
  const { body } = await http.dispatch({ method: 'POST', path: '/api/hub/logout', body: {} }, { principal: { kind: 'owner', id: 'cli', role: 'owner' } });
  return recordIn(body.toString('utf8'));
}

export const account: RunCommand = async (parts, { options }, output) => {
  if (options['json'] !== true) return report(parts, output);
  output.out(`${JSON.stringify(await readAccount(parts), undefined, 2)}\n`);
  return exitCodes.done;
};

interface LoginOptions {
  readonly opens: boolean;
}

interface Outcome {
  readonly state: 'waiting' | 'signed_in' | 'failed' | 'over' | 'refused' | 'expired' | 'none';
  readonly message?: string;
}

async function loginInBrowser(client: Client, signal: AbortSignal, output: CliOutput, { opens }: LoginOptions): Promise<number> {
  const { connectUrl, state } = await client.call<{ connectUrl: string; state: string }>('GET', '/api/hub/connect/begin');
  if (isPlaceholderName(new URL(connectUrl).hostname)) {
    output.err("No control plane is set. Set AGENT_HUB_SITE_URL to its address, or run 'login --site ADDRESS'.\n");
    return exitCodes.failed;
  }
  output.out(`Open this address in a browser on this machine and sign in there:\n\n  ${connectUrl}\n\nWaiting for at most 5 minutes; Ctrl-C cancels.\n`);
  if (opens) void showInBrowser(connectUrl);
  const path = `/api/hub/connect/outcome?${new URLSearchParams({ state }).toString()}`;
  const hint = "The sign-in is not completed yet. If this machine has no browser, 'login --device' shows a code to confirm on another one.\n";
  return waitForOutcome(client, path, signal, output, hint);
}

async function loginByCode(client: Client, signal: AbortSignal, output: CliOutput): Promise<number> {
  const { userCode, verificationUrl } = await client.call<{ userCode: string; verificationUrl: string }>('POST', '/api/hub/device/begin');
  const shown = userCode.length === 8 ? `${userCode.slice(0, 4)}-${userCode.slice(4)}` : userCode;
  output.out(
    `Open this address in a browser on any machine, and type the code:\n\n  ${verificationUrl}\n\n  ${shown}\n\nWaiting for at most 10 minutes; Ctrl-C cancels.\n`,
  );
  const code = await waitForOutcome(client, '/api/hub/device', signal, output, 'The code is not confirmed yet; it is still valid.\n');
  if (signal.aborted) await client.call('POST', '/api/hub/device/cancel').catch(() => undefined);
  return code;
}

/** Waits for the outcome. Prints a hint after a while and on each obstacle. */
async function waitForOutcome(client: Client, path: string, signal: AbortSignal, output: CliOutput, hint: string): Promise<number> {
  const begun = Date.now();
  let isHinted = false;
  let lastMessage: string | undefined;
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
    const { state, message } = await client.call<Outcome>('GET', path);
    if (state === 'signed_in') return print(await client.call<AccountReply>('GET', '/api/hub/account'), output);
    if (message !== undefined && message !== lastMessage) output.err(`${message}\n`);
    lastMessage = message;
    if (state !== 'waiting') break;
    if (!isHinted && Date.now() - begun > hintMs) output.out(hint);
    isHinted ||= Date.now() - begun > hintMs;
  }
  output.err('The sign-in was not completed; nothing has changed.\n');
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

function print({ account: connected, tier, status, expiresAt, org, seats, entitlements, message, advice }: AccountReply, output: CliOutput): number {
  output.out(
    alignColumns([
      ['account', connected ? `${connected.email} (since ${connected.connectedAt.slice(0, 10)}, ${connected.source})` : 'none'],
      ['tier', tier],
      ['status', status],
      ...(org === undefined ? [] : [['org', seats === undefined ? org : `${org} (${countWithNoun(seats, 'seat')})`]]),
      ...(expiresAt === undefined ? [] : [['expires', expiresAt]]),
      ...(entitlements.length > 0 ? [['unlocks', entitlements.join(', ')]] : []),
      ...(message === undefined ? [] : [['note', sentencesOf({ message, details: { advice } })]]),
    ]),
  );
  return exitCodes.done;
}
