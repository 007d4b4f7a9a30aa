// Tests the built control plane: first start, crash, backup, restore and shutdown.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasTool } from '../../helpers/required-tools.ts';
import { runPlaneCommand, startPlaneProcess, type PlaneProcess, type PlaneProcessOptions } from '../../helpers/plane-process.ts';
import { createTestDatabase } from '../../helpers/postgres.ts';
import { root } from '../../helpers/sources.ts';

const secret = { HUB_SECRET: 'a secret of the tests with more than 32 characters' };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(options: PlaneProcessOptions): Promise<PlaneProcess> {
  const plane = await startPlaneProcess(options);
  onTestFinished(async () => void (await plane.stop('SIGKILL')));
  return plane;
}

/** Returns a PostgreSQL database if available, because the embedded database takes seconds to start. */
const database = async (): Promise<Record<string, string>> => (hasTool('PostgreSQL') ? { DATABASE_URL: await createTestDatabase() } : {});
const eventOf = (id: string): object => ({ events: [{ id, kind: 'test', at: '2026-01-01T00:00:00Z' }] });

async function idsOf(plane: PlaneProcess, token: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: number | undefined = 0; cursor !== undefined;) {
    const { body } = await plane.call('GET', `/api/team/audit/events?kind=test&limit=1000&cursor=${cursor}`, { token });
    ids.push(...body.events.map(({ id }: { id: string }) => id));
    cursor = body.cursor;
  }
  return ids;
}

// late: @electric-sql/pglite
test('keeps acknowledged rows through a kill, restores a backup elsewhere and stops with an open stream', { timeout: 120_000 }, async () => {
  const home = await makeFolder();
  const options = { home, environment: secret };
  const first = await start(options);
  expect(await first.call('GET', '/readyz')).toMatchObject({ status: 200, body: { ok: true } });
  await expect.poll(first.output).toMatch(/has no owner yet/);
  const issued = await runPlaneCommand(options, 'issue', '--email', 'owner@example.org', '--tier', 'team', '--role', 'owner', '--org', 'Acme');
  const token = issued.out.trim();
  expect(issued).toMatchObject({ code: 0, err: '' });

  const acknowledged: string[] = [];
  let isOver = false;
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      const id = `event-${writer}-${n}`;
      const reply = await first.call('POST', '/api/team/audit/events', { token, body: eventOf(id) }).catch(() => undefined);
      if (reply?.status === 200) acknowledged.push(id);
      else isOver = true;
    }
  });
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(40);
  expect(await first.stop('SIGKILL')).toBe('SIGKILL');
  isOver = true;
  await Promise.all(writing);

  const second = await start(options);
  const storedIds = await idsOf(second, token);
  expect(acknowledged.filter((id) => !storedIds.includes(id))).toEqual([]);
  expect(new Set(storedIds).size).toBe(storedIds.length);

  const file = join(home, 'plane.backup');
  expect(await runPlaneCommand(options, 'backup', file)).toMatchObject({ code: 0, err: '' });
  expect((await runPlaneCommand(options, 'restore', file)).err).toContain('PLANE_DATABASE_ERR_SERVED');
  expect(await second.stop()).toBe(0);

  const elsewhere = { home: await makeFolder(), environment: { ...secret, ...(await database()) } };
  expect(await runPlaneCommand(elsewhere, 'restore', file)).toMatchObject({ code: 0, err: '' });
  const third = await start(elsewhere);
  expect(await idsOf(third, token)).toEqual(storedIds);
  expect((await third.call('POST', '/api/team/audit/events', { token, body: eventOf('after') })).status).toBe(200);

  const stream = await fetch(`${third.url}/api/team/bus/subscribe?workspace=w&since=0`, { headers: { authorization: `Bearer ${token}` } });
  expect(stream.status).toBe(200);
  const read = stream.text();
  expect(await third.stop()).toBe(0);
  await read;
});

test('reports a start failure in one line with exit code 1', async () => {
  const home = await makeFolder();
  const url = hasTool('PostgreSQL') ? await createTestDatabase() : '';
  const fails = async (environment: Record<string, string>, sentence: RegExp, ...argv: string[]): Promise<void> => {
    const { code, out, err } = await runPlaneCommand(
      { home, environment: { ...secret, ...(url === '' ? {} : { DATABASE_URL: url }), ...environment } },
      ...argv,
    );
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 });
    expect(err).toMatch(sentence);
  };
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  await fails({ HUB_PORT: String(port) }, new RegExp(`${port}.*HTTP_ERR_PORT_IN_USE`));
  await fails({ HUB_SECRET: 'another secret, which is long enough, too' }, /HUB_SECRET of the other nodes.*PLANE_KEYS_ERR_SECRET_MISSING/);
  await fails({ HUB_SECRET: 'short' }, /PLANE_KEYS_ERR_SECRET_SHORT/);
  await fails({ DATABASE_URL: 'mysql://localhost/plane' }, /postgresql:\/\/user.*PLANE_DATABASE_ERR_BAD_URL/);
  await fails({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }, /ECONNREFUSED.*PLANE_DATABASE_ERR_UNAVAILABLE/);
});

test('ends a command that waits for standard input when the input is closed', async () => {
  const options = { home: await makeFolder(), environment: { ...secret, ...(await database()) } };
  for (const argv of [
    ['connector', '--provider', 'github', '--client-id', 'a', '--secret-stdin'],
    ['init', '--email', 'ann@example.org', '--password-stdin'],
  ]) {
    const { code, out, err } = await runPlaneCommand(options, ...argv);
    expect({ code: code === 0, out, said: err !== '' }, argv[0]).toEqual({ code: false, out: '', said: true });
  }
});

test('reports the missing package of the embedded database, and runs on PostgreSQL from a copy of the build', async () => {
  const home = await makeFolder();
  await cp(join(root, 'dist'), join(home, 'dist'), { recursive: true });
  await writeFile(join(home, 'package.json'), await readFile(join(root, 'package.json')));
  const program = join(home, 'dist/main.mjs');
  const without = await runPlaneCommand({ home, environment: secret, program });
  expect(without).toMatchObject({ code: 1, err: expect.stringMatching(/npm install @electric-sql\/pglite@.*PLANE_DATABASE_ERR_NOT_INSTALLED/) });
  if (hasTool('PostgreSQL')) {
    const listed = await runPlaneCommand({ home, environment: { ...secret, DATABASE_URL: await createTestDatabase() }, program }, 'migrate', '--list');
    expect(listed).toMatchObject({ code: 0, err: '' });
  }
});

test.skipIf(!hasTool('PostgreSQL'))('runs a custom distribution with a plugin that adds a table, routes and a metric', async () => {
  const home = await makeFolder();
  const program = join(root, 'examples/distributions/control-plane/main.mjs');
  const options = { home, program, environment: { ...secret, DATABASE_URL: await createTestDatabase(), 'ACORN-HUB_HOME': join(home, 'hub') } };
  const plane = await start(options);
  expect(plane.output()).toContain('Acorn Control Plane is ready');
  const token = (await runPlaneCommand(options, 'issue', '--email', 'owner@example.org', '--tier', 'team', '--role', 'owner', '--org', 'Acme')).out.trim();
  expect((await plane.call('GET', '/api/guest-book')).status).toBe(401);
  expect(await plane.call('PUT', '/api/guest-book', { token, body: { line: 'I was here.' } })).toMatchObject({ status: 200 });
  expect(await plane.call('GET', '/api/guest-book', { token })).toMatchObject({ status: 200, body: { lines: ['I was here.'] } });
  expect((await plane.call('GET', '/metrics')).body).toContain('plane_guest_lines 1\n');
  expect((await plane.call('GET', '/connect/google')).status).toBe(404);
});
