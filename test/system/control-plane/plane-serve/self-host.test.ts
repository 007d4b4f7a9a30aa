// Tests the operator status of a control plane: the status route and `doctor`.
import { createServer } from 'node:https';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkPublicAddress } from '../../../../builtins/control-plane/plane-serve/public-address.ts';
import { addMember, startPlane, type Plane, type PlaneOptions } from '../../../helpers/plane.ts';

async function start(options: PlaneOptions = {}): Promise<Plane> {
  const plane = await startPlane(options);
  onTestFinished(() => plane.close());
  return plane;
}
const path = '/api/enterprise/self_host/status';

test('returns version, nodes, database, bus and findings to admins of the operating organisation only', async () => {
  const one = await start();
  const { token } = await addMember(one, { email: 'admin@example.org', role: 'admin' });
  const other = await start({ databaseUrl: one.databaseUrl });
  await expect.poll(async () => (await one.call('GET', path, { token })).body.nodes?.length).toBe(2);
  const { status, body } = await one.call('GET', path, { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    version: one.product.version,
    database: { kind: 'postgresql', version: expect.stringMatching(/^\d+/), migrations: expect.any(Number) },
    bus: { state: 'in-process' },
  });
  expect(body.nodes.map(({ isThis }: { isThis: boolean }) => isThis).sort()).toEqual([false, true]);
  expect(body.nodes[0]).toMatchObject({ nodeId: expect.stringMatching(/^node_/), version: one.product.version, skewMs: 0 });
  expect(body.findings).toContainEqual({ name: 'nodes', state: 'warning', message: expect.stringContaining('NATS_URL') });
  expect(body.findings).toContainEqual({ name: 'clock', state: 'fine', message: expect.any(String) });
  await other.close();
  await expect.poll(async () => (await one.call('GET', path, { token })).body.nodes.length).toBe(1);

  const { token: member } = await addMember(one, { email: 'member@example.org', role: 'member' });
  expect(await one.call('GET', path, { token: member })).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  const { token: lower } = await addMember(one, { email: 'team@example.org', role: 'owner', tier: 'team', org: 'Other' });
  expect(await one.call('GET', path, { token: lower })).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required' } } });
  const tenant = await addMember(one, { email: 'tenant@example.org', role: 'owner', org: 'Tenant' });
  for (const who of [{ token: tenant.token }, { cookie: tenant.cookie }])
    expect(await one.call('GET', path, who)).toMatchObject({ status: 403, body: { error: { code: 'not_operator' } } });
  expect((await one.call('GET', path)).status).toBe(401);
});

test("omits dead nodes and warns about a node clock that is off in 'doctor'", async () => {
  const plane = await start();
  await expect.poll(() => plane.kernel.resolve('database').query('select 1 as n from plane_node')).toEqual([{ n: 1 }]);
  await plane.kernel
    .resolve('database')
    .query(
      `insert into plane_node values ('node_dead', 'dead', '0.0.1', now(), now() - interval '40 seconds', 0), ('node_late', 'late', $1, now(), now(), -90000)`,
      [plane.product.version],
    );
  const command = await start({ databaseUrl: plane.databaseUrl, home: plane.home, isNotReady: true });
  const { code, said } = await command.run('doctor');
  expect(said).toContain(`A server of this home folder is running at ${plane.url}\n`);
  expect(said).toMatch(/^fine +database +PostgreSQL \d/m);
  expect(said).toMatch(/^warning +clock .*-90 s ahead/m);
  expect(said).not.toContain('dead');
  expect(code).toBe(0);
});

test("fails 'doctor' when a required component is missing", async () => {
  const plane = await start({ environment: { HUB_SECRET: 'short' }, isNotReady: true });
  const { code, said } = await plane.run('doctor');
  expect(said).toMatch(/^failed +keys .*fewer than 32 characters/m);
  expect(code).toBe(1);
});

test('rates the public address by its scheme, validity and certificate', async () => {
  expect(await checkPublicAddress('')).toMatchObject({ state: 'fine' });
  expect(await checkPublicAddress('http://127.0.0.1:3100')).toMatchObject({ state: 'fine' });
  expect(await checkPublicAddress('http://hub.example.org')).toMatchObject({ state: 'warning', message: expect.stringContaining('unencrypted') });
  expect(await checkPublicAddress('hub.example.org')).toMatchObject({ state: 'failed' });
  expect(await checkPublicAddress('ftp://hub.example.org')).toMatchObject({ state: 'failed' });
  const folder = await mkdtemp(join(tmpdir(), 'plane-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const names = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '5', '-subj', '/CN=localhost', ...names], { stdio: 'ignore' });
  const server = createServer({ key: await readFile(join(folder, 'key')), cert: await readFile(join(folder, 'cert')) }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await checkPublicAddress(`https://localhost:${port}`)).toMatchObject({ state: 'warning', message: expect.stringMatching(/SIGNED|CERT/) });
});
