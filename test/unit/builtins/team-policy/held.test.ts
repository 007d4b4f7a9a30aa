// Tests which policy applies when the control plane or the saved files return something else.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness, useFolder } from '../../../helpers/in-process.ts';
import { createSigner, nowSeconds, type Signer } from '../../plugins/licensing/license-kit.ts';
import { startLocalServer, type LocalServer } from '../../../helpers/local-server.ts';

const signer = createSigner();
const email = 'ada@example.org';
let server: LocalServer;
let reply: (() => { readonly status: number; readonly body?: unknown }) | undefined;
let harness: Harness;
const errors: string[] = [];
const home = useFolder('held-');

beforeEach(async () => {
  errors.length = 0;
  reply = undefined;
  server = await startLocalServer((request, response) => {
    const answer = request.url === '/api/team/policy' ? reply?.() : undefined;
    if (!answer) return response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body ?? {}));
  });
});

function signed(revision: number, blocked: string, more: object = {}, by: Signer = signer, typ = 'policy+jws'): string {
  const effective = { blockedTools: [{ pattern: blocked, from: 'everybody' }], forcedApprovals: [], allowedModels: [], spendingCaps: [] };
  return by.token({ sub: email, org: 'org_1', orgName: 'Acme', role: 'member', revision, policy: {}, effective, iat: nowSeconds(), ...more }, { typ });
}
const says = (signature: string) => (): { status: number; body: unknown } => ({ status: 200, body: { revision: 0, policy: {}, signature } });

async function start(license: object = {}, site = server.url): Promise<void> {
  await writeFile(join(home, 'license.json'), JSON.stringify({ token: signer.token({ tier: 'team', sub: email, org: 'Acme', ...license }) }));
  harness = await startHarness({
    home,
    builtins: ['hub', 'team-documents', 'team-policy'],
    environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem, AGENT_HUB_SITE_URL: site },
  });
  harness.kernel.emitter.on('error', ({ code }) => void errors.push(code));
}
const state = async (): Promise<any> => (await harness.call('GET', '/api/team/policy')).body;
const holds = async (revision: number, timeout = 5_000): Promise<void> =>
  expect.poll(async () => (await state()).revision, { interval: 20, timeout }).toBe(revision);
async function restart(): Promise<void> {
  await harness.close({ keepFiles: true });
  await start();
}
const files = async (): Promise<string[]> => (await readdir(join(home, 'team'))).sort().map((name) => join(home, 'team', name));

test('rejects an older revision than the last seen one, also after a restart', async () => {
  reply = says(signed(7, 'new'));
  await start();
  await holds(7);
  reply = says(signed(6, 'old'));
  await restart();
  await expect.poll(async () => (await state()).problem, { timeout: 5_000 }).toContain('revision 6');
  expect(await state()).toMatchObject({ state: 'held', revision: 7, rules: { blockedTools: [{ pattern: 'new' }] } });
  const plugins = await harness.call('GET', '/api/plugins');
  expect(JSON.stringify(plugins.body)).toContain('TEAM_DOCUMENTS_ERR_OLDER');
});

test.each([
  ['signed with another key', () => signed(9, 'x', {}, createSigner())],
  ['signed for another account', () => signed(9, 'x', { sub: 'eve@example.org' })],
  ['signed with another type', () => signed(9, 'x', {}, signer, 'fleet+jws')],
  ['signed without a type', () => signed(9, 'x', {}, signer, 'JWT')],
  ['unsigned', () => 'x'],
])('rejects a policy from the control plane that is %s', async (_, document) => {
  reply = says(signed(7, 'good'));
  await start();
  await holds(7);
  reply = says(document());
  await restart();
  await expect.poll(async () => (await state()).problem, { timeout: 5_000 }).toContain('not signed for this account');
  expect(await state()).toMatchObject({ state: 'held', revision: 7 });
  expect(JSON.stringify((await harness.call('GET', '/api/plugins')).body)).toContain('TEAM_DOCUMENTS_ERR_NOT_SIGNED');
});

test('falls back to the second saved copy if one was changed, and has no policy if both were', async () => {
  reply = says(signed(7, 'good'));
  await start();
  await holds(7);
  await expect.poll(async () => (await files()).length).toBe(2);
  await harness.close({ keepFiles: true });
  const [first = '', second = ''] = await files();
  const weaker = signed(7, 'nothing', {}, createSigner());
  await writeFile(first, JSON.stringify({ document: weaker }));
  reply = undefined;
  await start();
  expect(await state()).toMatchObject({ state: 'held', revision: 7, rules: { blockedTools: [{ pattern: 'good' }] } });
  expect(JSON.stringify((await harness.call('GET', '/api/plugins')).body)).toContain('TEAM_DOCUMENTS_ERR_CHANGED');
  await harness.close({ keepFiles: true });
  await writeFile(second, (await readFile(second, 'utf8')).replace('.', 'x.'));
  await start();
  expect(await state()).toMatchObject({ state: 'waiting' });
});

test('applies no policy to an account that is not a member or has no organization', async () => {
  reply = () => ({ status: 403, body: { error: { code: 'forbidden', message: 'No.' } } });
  await start();
  await expect.poll(async () => (await state()).state, { timeout: 5_000 }).toBe('none');
  await harness.close({ keepFiles: true });
  await start({ org: undefined }, 'https://hub.example.invalid');
  expect(await state()).toMatchObject({ state: 'none' });
});

test('replaces the policy when another account signs in', async () => {
  reply = says(signed(7, 'good'));
  await start();
  await holds(7);
  reply = says(signed(3, 'other', { sub: 'bob@example.org' }));
  await harness.kernel.resolve('license').apply(signer.token({ tier: 'team', sub: 'bob@example.org', org: 'Acme', exp: nowSeconds() + 99 }), 'browser');
  await holds(3);
});

test('applies a policy that cannot be saved and reports the failure', async () => {
  await writeFile(join(home, 'team'), 'in the way');
  reply = says(signed(7, 'good'));
  await start();
  await holds(7);
  await expect.poll(async () => JSON.stringify((await harness.call('GET', '/api/plugins')).body)).toContain('TEAM_DOCUMENTS_ERR_NOT_KEPT');
});

test('applies the saved policy without the hub plugin and rejects publishing', async () => {
  reply = says(signed(7, 'good'));
  await start();
  await holds(7);
  await harness.close({ keepFiles: true });
  harness = await startHarness({ home, builtins: ['team-documents', 'team-policy'], environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem } });
  expect(await state()).toMatchObject({ state: 'held', revision: 7 });
  const publishing = harness.kernel.resolve('teamDocuments').publish({ path: '/x', field: 'policy', body: {}, signal: new AbortController().signal });
  await expect(publishing).rejects.toMatchObject({ code: 'TEAM_DOCUMENTS_ERR_NOT_CONNECTED' });
});
