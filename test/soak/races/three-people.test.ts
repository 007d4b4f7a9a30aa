// Tests a control plane used by three people: one hosts it, two sign in from their own homes, and it is restored from a backup.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram, startProgram, type RunningProgram } from '../../helpers/program.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

interface HostedPlane {
  readonly url: string;
  readonly program: RunningProgram;
  run(...argv: string[]): Promise<string>;
  browser(): (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>;
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'people-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function host(home: string, environment: Readonly<Record<string, string>>): Promise<HostedPlane> {
  const own = { HUB_HOME: home, HOME: home, HUB_PORT: '0', ...environment };
  const program = startProgram(['control-plane'], { environment: own });
  onTestFinished(async () => void (await program.stop()));
  const [, url = ''] = await program.says(/ready at (http:\/\/\S+)/);
  return {
    url,
    program,
    async run(...argv) {
      const { code, said } = await runProgram(['control-plane', ...argv], { environment: own });
      expect(said, argv.join(' ')).toBeTypeOf('string');
      expect(code, said).toBe(0);
      return said;
    },
    browser() {
      let cookie = '';
      return async (method, path, body) => {
        const headers = { origin: url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
        const reply = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
        const [set] = reply.headers.getSetCookie();
        if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
        const text = await reply.text();
        return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
      };
    },
  };
}

async function service(plane: HostedPlane, publicKey: string, home: string, workspace: string): Promise<ServerProcess> {
  const environment = { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey };
  const server = await startServerProcess({ home, workspace, environment });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

async function say(server: ServerProcess, text: string): Promise<string> {
  const { status, body } = await server.call('POST', '/api/message', { text });
  expect(status, JSON.stringify(body)).toBe(202);
  const isOver = async (): Promise<boolean> => {
    const { approvals = [] } = (await server.call('GET', '/api/pending')).body as { approvals?: { approvalId: string }[] };
    for (const { approvalId } of approvals) await server.call('POST', '/api/approve', { approvalId, decision: 'approve' });
    return !(await server.call('GET', '/api/status')).body.busy;
  };
  await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  const { entries } = (await server.call('GET', `/api/chats/${body.chatId}/transcript`)).body as { entries: { turnId?: string; kind: string }[] };
  return JSON.stringify(entries.filter(({ turnId, kind }) => turnId === body.turnId && kind !== 'user'));
}
const call = (server: ServerProcess, tool: string, args: object = {}): Promise<string> => say(server, `/call ${tool} ${JSON.stringify(args)}`);

/** Clones of one repository, because shared data is identified by its remote. */
async function clone(): Promise<string> {
  const workspace = await folder();
  for (const args of [
    ['init', '-q'],
    ['remote', 'add', 'origin', 'https://git.example.org/acme/app.git'],
  ])
    execFileSync('git', args, { cwd: workspace });
  return workspace;
}

test('shares models, notes, messages and rules between two signed-in homes and restores the control plane from a backup', { timeout: 300_000 }, async () => {
  const upstream = await startScriptedModel([{ text: 'Hello from upstream.', always: true }]);
  onTestFinished(() => upstream.close());
  const environment = { HUB_UPSTREAM_BASE_URL: upstream.url, HUB_UPSTREAM_API_KEY: 'sk-upstream' };
  const planeHome = await folder();
  const plane = await host(planeHome, environment);

  const [, setup = ''] = await plane.program.says(/sign-up\?setup=(\S+)/);
  const owner = plane.browser();
  const signedUp = await owner('POST', '/api/account/sign-up', { email: 'olga@example.org', password: 'correct horse', orgName: 'Acme', setup });
  expect(signedUp.status, JSON.stringify(signedUp.body)).toBeLessThan(300);
  const me = (await owner('GET', '/api/account/me')).body;
  const orgId: string = me.organisation.id;

  const invited = await owner('POST', `/api/orgs/${orgId}/invites`, { role: 'member', email: 'max@example.org' });
  expect(invited.status, JSON.stringify(invited.body)).toBeLessThan(300);
  const [, invite = ''] = /invite=([\w-]+)/.exec(JSON.stringify(invited.body)) ?? [];
  const member = plane.browser();
  const joined = await member('POST', '/api/account/sign-up', { email: 'max@example.org', password: 'battery staple', invite });
  expect(joined.status, JSON.stringify(joined.body)).toBeLessThan(300);

  const key = await plane.run('key');
  const [ownersHome, membersHome, ownersClone, membersClone] = [await folder(), await folder(), await clone(), await clone()];
  const olgas = await service(plane, key, ownersHome, ownersClone);
  let maxs = await service(plane, key, membersHome, membersClone);
  const { connectUrl } = (await olgas.call('GET', '/api/hub/connect/begin')).body;
  const asked = new URL(connectUrl).searchParams;
  const form = await owner('POST', '/api/connect/harness', { state: asked.get('state'), redirectUri: asked.get('redirect_uri') });
  expect(form.status, JSON.stringify(form.body)).toBe(200);
  const handed = await fetch(form.body.action, {
    method: 'POST',
    headers: { origin: plane.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form.body.fields),
  });
  expect(handed.status).toBe(200);
  const begun = await maxs.call('POST', '/api/hub/device/begin', {});
  const approved = await member('POST', '/api/device/approve', { userCode: begun.body.userCode });
  expect(approved.status, JSON.stringify([begun.body, approved.body])).toBe(200);
  await expect.poll(async () => (await maxs.call('GET', '/api/hub/device')).body.state, { timeout: 20_000 }).toBe('signed_in');
  for (const [server, email] of [
    [olgas, 'olga@example.org'],
    [maxs, 'max@example.org'],
  ] as const)
    expect((await server.call('GET', '/api/hub/account')).body).toMatchObject({ account: { email }, tier: 'enterprise', status: 'active' });

  const prices = join(planeHome, 'prices.json');
  await writeFile(prices, JSON.stringify({ scripted: { inputPerMillion: 1, outputPerMillion: 2 } }));
  await plane.run('prices', prices);
  await plane.run('wallet', '--org', 'Acme', '--cap', '1');
  expect(await say(maxs, 'Good morning')).toContain('Hello from upstream.');
  const { remaining, cap } = (await maxs.call('GET', '/api/hub/inference-status')).body;
  expect([cap, remaining < 1]).toEqual([1, true]);
  await plane.run('wallet', '--org', 'Acme', '--cap', '0.00001');
  expect(await say(maxs, 'And again')).toContain('budget');

  const [lunch, release] = ['fact:lunch', 'fact:release'];
  await call(olgas, 'remember', { key: 'lunch', value: 'Lunch is at noon.', type: 'fact', scope: 'workspace' });
  await call(olgas, 'remember', { key: 'release', value: 'Releases leave on Thursdays.', type: 'fact', scope: 'workspace' });
  expect(await call(olgas, 'team_memory_sync')).toContain('"ok":true');
  expect(await call(maxs, 'team_memory_sync')).toContain('"ok":true');
  const found = await call(maxs, 'recall', { key: release });
  expect(found).toContain('Thursdays');
  expect(found).toContain('olga@example.org');
  await maxs.stop();
  await call(olgas, 'forget', { key: lunch });
  await call(olgas, 'team_memory_sync');
  maxs = await service(plane, key, membersHome, membersClone);
  const looked = await runProgram(['doctor'], {
    environment: { HOME: membersHome, APP_HOME: membersHome, AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: key },
  });
  expect(looked.said).toContain('Models of the account answer');
  await call(maxs, 'team_memory_sync');
  expect(await call(maxs, 'recall', { key: lunch })).not.toContain('noon');
  expect(await call(olgas, 'recall', { key: lunch })).not.toContain('noon');

  expect(await call(maxs, 'team_bus_publish', { key: 'interface_changed', envelope: { file: 'api.ts' } })).toContain('"ok":true');
  expect(await call(olgas, 'team_bus_poll', { since: 0, waitSeconds: 5 })).toContain('interface_changed');

  expect(await call(maxs, 'run_command', { command: 'echo first' })).toContain('first');
  const laid = await owner('PUT', '/api/team/policy', { base: 0, policy: { blockedTools: ['run_command'] } });
  expect(laid.status, JSON.stringify(laid.body)).toBe(200);
  await expect.poll(() => call(maxs, 'run_command', { command: 'echo second' }), { timeout: 10_000 }).not.toContain('"ok":true');

  const backup = join(planeHome, 'plane.backup');
  await plane.run('backup', backup);
  const secret = (await readFile(join(planeHome, 'secret'), 'utf8')).trim();
  await plane.program.stop();
  const restored = { ...environment, HUB_SECRET: secret, HUB_PORT: new URL(plane.url).port };
  const secondHome = await folder();
  const { code, said } = await runProgram(['control-plane', 'restore', backup], { environment: { HUB_HOME: secondHome, HOME: secondHome, ...restored } });
  expect(code, said).toBe(0);
  const again = await host(secondHome, restored);
  await owner('POST', '/api/account/sign-in', { email: 'olga@example.org', password: 'correct horse' });
  expect((await owner('GET', '/api/account/me')).body.organisation.name).toBe('Acme');
  await maxs.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: membersClone });
  await call(maxs, 'remember', { key: 'after', value: 'The plane came back.', type: 'fact', scope: 'workspace' });
  expect(await call(maxs, 'team_memory_sync')).toContain('"ok":true');
  expect(await call(olgas, 'team_memory_sync')).toContain('"ok":true');
  expect(await call(olgas, 'recall', { key: 'fact:after' })).toContain('came back');
  expect(await call(olgas, 'recall', { key: lunch })).not.toContain('noon');
  expect(await call(olgas, 'team_bus_poll', { since: 0 })).toContain('interface_changed');
  expect(await call(maxs, 'run_command', { command: 'echo third' })).not.toContain('"ok":true');
  await again.run('wallet', '--org', 'Acme', '--cap', '1');
  expect(await say(maxs, 'Are you there?')).toContain('Hello from upstream.');

  expect((await maxs.call('POST', '/api/hub/logout', {})).status).toBe(200);
  expect((await maxs.call('GET', '/api/hub/account')).body).toMatchObject({ connected: false, tier: 'community', entitlements: [] });
  expect(await call(maxs, 'team_memory_sync')).not.toContain('"ok":true');
});
