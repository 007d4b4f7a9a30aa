// Tests license renewal by the control plane, and that the token is sent nowhere else.
import type { IncomingMessage } from 'node:http';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { renewLicense } from '../../../../builtins/account/hub/renew-license.ts';
import { type Harness, openEventStream, startHarness, useFolder } from '../../../helpers/in-process.ts';
import { createSigner, daySeconds, nowSeconds } from '../../plugins/licensing/license-kit.ts';
import { startLocalServer, type LocalServer } from '../../../helpers/local-server.ts';

const signer = createSigner();
const days = (from: number, to: number): Record<string, unknown> => ({ iat: nowSeconds() + from * daySeconds, exp: nowSeconds() + to * daySeconds });
const old = signer.token({ tier: 'team', ...days(-20, 10) });
const current = signer.token(days(-10, 20));

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

let plane: LocalServer;
const asked: IncomingMessage[] = [];
let answer: (request: IncomingMessage) => Reply | Promise<Reply>;
let harness: Harness | undefined;
const home = useFolder('renewal-');
beforeEach(async () => {
  asked.length = 0;
  answer = () => ({ body: { token: signer.token({ tier: 'team', ...days(0, 30) }) } });
  plane = await startLocalServer((request, response) => {
    asked.push(request);
    void Promise.resolve(answer(request)).then(({ status = 200, body = {}, headers = {} }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
});

async function start(token: string, site = plane.url): Promise<Harness> {
  await writeFile(join(home, 'license.json'), JSON.stringify({ token }));
  harness = await startHarness({ home, builtins: ['hub', 'failure-log'], environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem, AGENT_HUB_SITE_URL: site } });
  return harness;
}
const account = async (): Promise<any> => (await harness?.call('GET', '/api/hub/account'))?.body;
const savedToken = async (): Promise<string | undefined> => JSON.parse(await readFile(join(home, 'license.json'), 'utf8').catch(() => '{}')).token;
async function renewNow(site = plane.url): Promise<string[]> {
  const lines: string[] = [];
  const log = { ...({} as any), warn: (line: string) => lines.push(line) };
  const hubSite = { url: () => site, controlPlane: () => site };
  await renewLicense({ license: (harness as Harness).kernel.resolve('license'), hubSite, log, signal: new AbortController().signal });
  return lines;
}

test('returns the token as issued, also in the grace period, and none when signed out', async () => {
  const { kernel } = await start(signer.token(days(0, 1)));
  const license = kernel.resolve('license');
  expect(await license.token()).toBe(await savedToken());
  await license.apply(signer.token(days(-40, -3)), 'browser');
  expect([license.state().status, await license.token()]).toEqual(['grace', await savedToken()]);
  await license.clear();
  expect(await license.token()).toBeUndefined();
});

test('renews a license in its second half soon after the start, and stores the token only in its file', async () => {
  const { logs, ...running } = await start(old);
  const stream = await openEventStream(running, { chatId: 'all' });
  // The file is written before the account changes.
  await vi.waitFor(async () => expect(Date.parse((await account()).expiresAt) - Date.now()).toBeGreaterThan(29 * daySeconds * 1_000), 20_000);
  expect(asked.map(({ method, url: path, headers }) => [method, path, headers.authorization])).toEqual([['POST', '/api/license/renew', `Bearer ${old}`]]);
  const now = await account();
  expect(now).toMatchObject({ tier: 'team', status: 'active', connected: true });
  const fresh = (await savedToken()) as string;
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((one) => one.isFile() && one.name !== 'license.json');
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8').catch(() => ''))); // the server is still writing, so a file may be gone
  const said = [...texts, ...logs, JSON.stringify(stream.events), JSON.stringify(now)].join('\n');
  for (const token of [old, fresh]) expect(said.includes(token.slice(-40))).toBe(false);
});

test('does not renew a license in its first half', async () => {
  const { kernel } = await start(signer.token(days(-10, 20)));
  const ran = vi.fn();
  kernel.emitter.on('account_changed', ran);
  const due = async (): Promise<unknown> => JSON.parse(await readFile(join(home, 'schedule.json'), 'utf8').catch(() => '{}'))['renew-license'];
  await vi.waitFor(async () => expect(await due()).toBeDefined(), 20_000);
  expect(asked).toEqual([]);
});

test.each<[string, Reply, RegExp]>([
  ['refuses the renewal', { status: 503, body: { error: { code: 'down', message: `Rejected ${current}.` } } }, /responded with status 503: Rejected …\.$/],
  ['returns no token', { body: { license: current } }, /contains no token$/],
  ['returns invalid JSON', { body: `<p>${current}` }, /contains no token$/],
  ['returns the token of another account', { body: { token: createSigner().token() } }, /License token is not valid/],
  ['redirects', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, /responded with status 307$/],
])('a control plane that %s changes nothing, and the log contains the reason without the token', async (_, reply, why) => {
  await start(current);
  answer = () => reply;
  const lines = await renewNow();
  expect(lines).toEqual([expect.stringMatching(why)]);
  expect(lines.join('\n')).not.toContain(current);
  expect([await savedToken(), asked.length]).toEqual([current, 1]);
});

test('logs a control plane that is unreachable or without TLS, and sends it nothing', async () => {
  await start(signer.token(days(-10, 20)));
  expect(await renewNow('http://plane.example')).toEqual([expect.stringContaining('does not use TLS')]);
  await plane.close();
  const lines = await renewNow();
  expect(lines).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(asked).toEqual([]);
});

test('signs out when the license was revoked', async () => {
  await start(signer.token(days(-10, 20)));
  answer = () => ({ status: 401, body: { error: { code: 'token_revoked', message: 'It was revoked.' } } });
  expect(await renewNow()).toEqual([expect.stringContaining('revoked')]);
  expect(await account()).toMatchObject({ connected: false, tier: 'community' });
});

test('a sign-out during the renewal stays in effect', async () => {
  const { kernel } = await start(signer.token(days(-10, 20)));
  answer = async () => {
    await kernel.resolve('license').clear();
    return { body: { token: signer.token(days(0, 30)) } };
  };
  expect(await renewNow()).toEqual([]);
  expect(await account()).toMatchObject({ connected: false });
});
