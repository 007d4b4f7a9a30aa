// Tests a control plane restored from an older backup with services that hold newer data.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { hasTool } from '../../helpers/required-tools.ts';
import { startService, type Service } from '../../helpers/plane-service.ts';
import { openPlaneStream } from '../../helpers/plane-stream.ts';
import { addMember, startPlane, type AddedMember, type Plane, type PlaneOptions } from '../../helpers/plane.ts';
import { createTestDatabase } from '../../helpers/postgres.ts';
import { openHome, removeFolders } from '../../unit/builtins/notes-sync/sync-kit.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restored-'));
});
afterAll(async () => {
  await removeFolders();
  await rm(folder, { recursive: true, force: true });
});

/** Control plane at a fixed address with an exchangeable database. */
interface Site {
  plane: Plane;
  /** Restarts on another database. */
  moveTo(options: PlaneOptions): Promise<void>;
  backup(): Promise<string>;
  /** Restores a backup into a new database, or over the existing one with `--replace`. */
  restore(path: string, ...options: string[]): Promise<void>;
}

async function openSite(): Promise<Site> {
  const port = await freePort();
  let backups = 0;
  const site: Site = {
    plane: await startPlane({ port }),
    async moveTo(options) {
      await site.plane.close({ keepFiles: true });
      site.plane = await startPlane({ port, ...options });
    },
    async backup() {
      const path = join(folder, `${port}-${backups++}.backup`);
      expect((await site.plane.run('backup', path)).code).toBe(0);
      return path;
    },
    async restore(path, ...options) {
      const isReplaced = options.includes('--replace');
      await site.plane.close({ keepFiles: isReplaced });
      const { databaseUrl, home } = site.plane;
      const place = isReplaced ? { databaseUrl, home } : {};
      const command = await startPlane({ isNotReady: true, ...place });
      const { code, said } = await command.run('restore', path, ...options);
      expect(code, said).toBe(0);
      await command.close({ keepFiles: true });
      site.plane = await startPlane({ port, databaseUrl: command.databaseUrl, home: command.home });
    },
  };
  onTestFinished(() => site.plane.close());
  return site;
}

const policyOf = async (service: Service): Promise<any> => (await service.call('GET', '/api/team/policy')).body;
async function publish({ plane }: Site, admin: AddedMember, blocked: string): Promise<number> {
  const { revision } = (await plane.call('GET', '/api/team/policy', { token: admin.token })).body;
  const written = await plane.call('PUT', '/api/team/policy', { token: admin.token, body: { base: revision, policy: { blockedTools: [blocked] } } });
  expect(written.status).toBe(200);
  return written.body.revision;
}
async function publishFleet({ plane }: Site, admin: AddedMember, rounds: string): Promise<void> {
  const { revision } = (await plane.call('GET', '/api/team/fleet/config', { token: admin.token })).body;
  const body = { base: revision, config: { harness: { env: { AGENT_MAX_ROUNDS: rounds } } } };
  expect((await plane.call('PUT', '/api/team/fleet/config', { token: admin.token, body })).status).toBe(200);
}
async function openService({ plane }: Site, member: AddedMember, builtins: string[], options: object = {}): Promise<Service> {
  const service = await startService(
    { url: plane.url, publicKey: await plane.kernel.resolve('planeKeys').publicKey(), token: member.token },
    { builtins: ['hub', 'model-chat-completions', ...builtins] as never, script: [{ text: 'ok', always: true }], ...options },
  );
  onTestFinished(async () => void (await service.close()));
  return service;
}
const holds = (service: Service, blocked: string): Promise<void> =>
  vi.waitFor(async () => expect((await policyOf(service)).rules.blockedTools).toMatchObject([{ pattern: blocked }]), { timeout: 20_000, interval: 50 });

describe('restored policy and fleet configuration', () => {
  const builtins = ['team-documents', 'team-policy', 'team-fleet'];

  test('replace later revisions on services, also after a second restore of the same backup', { timeout: 60_000 }, async () => {
    const site = await openSite();
    const admin = await addMember(site.plane, { email: 'adm@example.org', role: 'admin' });
    await publish(site, admin, 'first_tool');
    await publishFleet(site, admin, '7');
    const backup = await site.backup();
    for (const name of ['second_tool', 'third_tool']) await publish(site, admin, name);
    await publishFleet(site, admin, '8');
    const home = await mkdtemp(join(folder, 'service-'));
    const holdsBoth = async (blocked: string, rounds: number): Promise<void> => {
      const service = await openService(site, admin, builtins, { home });
      await holds(service, blocked);
      const settings = async (): Promise<any> => (await service.call('GET', '/api/settings')).body.fields;
      await expect.poll(async () => (await settings()).find(({ key }: any) => key === 'AGENT_MAX_ROUNDS').value).toBe(rounds);
      expect((await policyOf(service)).problem).toBeUndefined();
      await service.close({ keepFiles: true });
    };
    await holdsBoth('third_tool', 8);
    for (const blocked of ['fourth_tool', 'fifth_tool']) {
      await site.restore(backup);
      await holdsBoth('first_tool', 7);
      await publish(site, admin, blocked);
      await holdsBoth(blocked, 7);
    }
    const { versions } = (await site.plane.call('GET', '/api/team/policy/history', { token: admin.token })).body;
    expect(versions.map(({ by }: any) => by.email)).toEqual(['adm@example.org', 'restore of a backup', 'adm@example.org']);
    const { events } = (await site.plane.call('GET', '/api/team/audit/events?kind=backup_restored', { token: admin.token })).body;
    expect(events).toMatchObject([{ source: 'plane', metrics: { madeAt: expect.stringContaining('T') } }]);
  });

  test('drop a policy that was first written after the backup', async () => {
    const site = await openSite();
    const admin = await addMember(site.plane, { email: 'adm@example.org', role: 'admin' });
    const backup = await site.backup();
    await publish(site, admin, 'first_tool');
    const service = await openService(site, admin, builtins);
    await holds(service, 'first_tool');
    await site.restore(backup);
    await vi.waitFor(async () => expect((await policyOf(service)).rules.blockedTools).toEqual([]), { timeout: 20_000, interval: 50 });
  });

  test.skipIf(!hasTool('PostgreSQL'))('are refused from an older database that was not restored by the restore command', async () => {
    const site = await openSite();
    const admin = await addMember(site.plane, { email: 'adm@example.org', role: 'admin' });
    await publish(site, admin, 'first_tool');
    await site.plane.close({ keepFiles: true });
    const older = await copyOf(site.plane.databaseUrl);
    await site.moveTo({ databaseUrl: site.plane.databaseUrl, home: site.plane.home });
    await publish(site, admin, 'second_tool');
    const service = await openService(site, admin, builtins);
    await holds(service, 'second_tool');
    await site.moveTo({ databaseUrl: older, home: site.plane.home });
    await vi.waitFor(async () => expect((await policyOf(service)).problem).toContain('revision 1'), { timeout: 20_000, interval: 50 });
    expect(await policyOf(service)).toMatchObject({ state: 'held', revision: 2, rules: { blockedTools: [{ pattern: 'second_tool' }] } });
  });
});

describe('licenses after a restore', () => {
  const asks = async ({ plane }: Site, { token }: AddedMember): Promise<number> => (await plane.call('GET', '/api/account/me', { token })).status;

  test('stay revoked if revoked after the backup, and browsers have to sign in again', async () => {
    const site = await openSite();
    const [ann, bob] = [
      await addMember(site.plane, { email: 'ann@example.org', role: 'owner' }),
      await addMember(site.plane, { email: 'bob@example.org', role: 'member' }),
    ];
    const backup = await site.backup();
    expect((await site.plane.run('revoke', '--email', 'bob@example.org')).code).toBe(0);
    expect(await asks(site, bob)).toBe(401);
    await site.restore(backup, '--replace');
    expect([await asks(site, ann), await asks(site, bob)]).toEqual([200, 401]);
    expect((await site.plane.call('GET', '/api/account/me', { cookie: ann.cookie })).status).toBe(401);
  });

  test('all end with --sign-out', async () => {
    const site = await openSite();
    const ann = await addMember(site.plane, { email: 'ann@example.org', role: 'owner' });
    await site.restore(await site.backup(), '--sign-out');
    expect(await asks(site, ann)).toBe(401);
  });
});

test('reports the gap to bus readers and delivers later messages after a restore', async () => {
  const site = await openSite();
  const ann = await addMember(site.plane, { email: 'ann@example.org', role: 'member' });
  let sent = 0;
  async function say(workspace: string): Promise<number> {
    const body = { workspace, key: 'said', envelope: { text: `message ${++sent}` }, clientId: 'tests', mutationId: sent };
    return (await site.plane.call('POST', '/api/team/bus/publish', { token: ann.token, body })).body.cursor;
  }
  await say('old');
  const backup = await site.backup();
  for (const workspace of ['old', 'old', 'new', 'new']) await say(workspace);
  const poll = (workspace: string) => ({ toolCalls: [{ name: 'team_bus_poll', args: { workspace } }] });
  const service = await openService(site, ann, ['team-bus'], {
    environment: { AGENT_YOLO: '1' },
    script: [poll('old'), poll('new'), { text: 'ok' }, poll('old'), poll('new'), { text: 'ok' }],
  });
  const outputs = async (): Promise<string[]> => (await service.say()).filter(({ kind }) => kind === 'tool_result').map(({ output }) => String(output));
  expect(await outputs()).toEqual([expect.stringContaining('message 3'), expect.stringContaining('message 5')]);
  await site.restore(backup);
  const [old, fresh] = [await say('old'), await say('new')];
  expect(Math.min(old, fresh)).toBeGreaterThan(Date.parse('2020-01-01'));
  expect(await outputs()).toEqual([expect.stringContaining('message 6'), expect.stringContaining('message 7')]);
  const stream = await openPlaneStream(site.plane.url, '/api/team/bus/subscribe?workspace=old&since=3', ann);
  onTestFinished(() => stream.close());
  await stream.until(({ cursor }) => cursor === old);
  expect(stream.events.map(({ data }) => data)).toMatchObject([{ gap: { from: 4, to: old - 1 } }, { cursor: old }]);
});

test('restores notes from the homes after a restore and keeps deletions', async () => {
  const site = await openSite();
  const ann = await addMember(site.plane, { email: 'ann@example.org', role: 'member', tier: 'team' });
  const [one, two] = [await openHome({ plane: site.plane, member: ann }), await openHome({ plane: site.plane, member: ann })];
  onTestFinished(async () => void (await Promise.all([one.close(), two.close()])));
  await one.remember('kept', 'before');
  await one.remember('gone', 'before');
  await one.sync();
  await two.sync();
  const backup = await site.backup();
  await one.remember('later', 'after');
  await one.forget('gone');
  await one.sync();
  await two.sync();
  await site.restore(backup);
  for (const home of [one, two, one]) expect((await home.sync()).error).toBeUndefined();
  expect([await one.notes(), await two.notes()]).toEqual([
    ['kept=before', 'later=after'],
    ['kept=before', 'later=after'],
  ]);
  const page = (await site.plane.call('GET', '/api/pro/cloud_sync/notes?workspace=global', { token: ann.token })).body;
  expect(page.notes.map(({ key }: any) => key).sort()).toEqual(['fact:kept', 'fact:later']);
});

test('keeps a package newer than the restored backup running until a newer version is published', async () => {
  const site = await openSite();
  const ann = await addMember(site.plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
  const source = join(folder, 'package');
  async function publishPackage(version: string): Promise<void> {
    await mkdir(join(source, 'greeter'), { recursive: true });
    await writeFile(
      join(source, 'greeter', 'index.mjs'),
      `export const manifest = { name: 'greeter' };
      export function register(registry) {
        registry.add('route', { key: 'GET /test/greeting', summary: 'Greets.', tag: 'test', schema: {}, handle: () => ({ answer: '${version}' }) });
      }`,
    );
    const { code, said } = await site.plane.run('package', source, '--version', version);
    expect(code, said).toBe(0);
  }
  await publishPackage('1.0.0');
  const backup = await site.backup();
  await publishPackage('1.1.0');
  const service = await openService(site, ann, ['enterprise-package']);
  const saysSoon = (answer: string): Promise<void> =>
    vi.waitFor(async () => expect((await service.call('GET', '/test/greeting')).body.answer).toBe(answer), { timeout: 20_000, interval: 50 });
  await saysSoon('1.1.0');
  await site.restore(backup);
  await service.call('POST', '/api/hub/reconnect', {});
  await publishPackage('1.2.0');
  await service.call('POST', '/api/hub/reconnect', {});
  await saysSoon('1.2.0');
});

/** Copies a database with the template of the original. */
async function copyOf(url: string): Promise<string> {
  const { default: pg } = await import('pg');
  const copy = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: url.replace(/\/[^/]*$/, '/postgres'), max: 1 });
  const [from, to] = [new URL(url).pathname.slice(1), new URL(copy).pathname.slice(1)];
  await pool.query(`drop database ${to}`);
  await pool.query(`create database ${to} template ${from}`);
  await pool.end();
  return copy;
}
