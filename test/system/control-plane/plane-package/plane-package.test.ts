// Tests plugin packages on the control plane: publication and download permissions.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { packFolder } from '../../../../builtins/control-plane/plane-package/pack-folder.ts';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { runCli } from '../plane-licenses/plane-kit.ts';

let plane: Plane;
let folder: string;
beforeAll(async () => {
  plane = await startPlane();
  folder = await mkdtemp(join(tmpdir(), 'package-'));
});
afterAll(async () => {
  await plane.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await plane.kernel.resolve('database').query('delete from package');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'one/more'), { recursive: true });
  await writeFile(join(folder, 'one/index.mjs'), 'export const manifest = {};');
  await writeFile(join(folder, 'one/more/words.txt'), 'some words '.repeat(1_000));
});
const publish = (...args: string[]): ReturnType<typeof runCli> => runCli(plane, 'package', folder, ...args);

test('serves the latest published package to members of paid tiers, in whole or by range, from every node', async () => {
  const { token } = await addMember(plane, { email: 'ann@example.org', role: 'viewer', tier: 'pro' });
  expect(await plane.call('GET', '/api/enterprise/package', { token })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  await publish('--version', '1.0.0');
  await publish('--version', '1.1.0');
  const second = await startPlane({ databaseUrl: plane.databaseUrl });
  onTestFinished(() => second.close());
  const { body } = await second.call('GET', '/api/enterprise/package', { token });
  expect(body).toMatchObject({ version: '1.1.0', archive: '/api/enterprise/package/1.1.0' });
  expect(await plane.kernel.resolve('planeKeys').verify('package', body.manifest)).toMatchObject({ version: '1.1.0', sha256: body.sha256, size: body.size });
  const get = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(second.url + body.archive, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const whole = await get();
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect([bytes.byteLength, whole.headers.get('etag')]).toEqual([body.size, `"${body.sha256}"`]);
  const part = await get({ range: 'bytes=10-19' });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)]);
  expect((await get({ 'if-none-match': `"${body.sha256}"` })).status).toBe(304);
  for (const path of ['/api/enterprise/package/9.9.9', '/api/enterprise/package/..%2f..%2fetc']) {
    expect(await plane.call('GET', path, { token })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
});

test('refuses the package without the entitlement or sign-in', async () => {
  await publish('--version', '1.0.0');
  const { token } = await addMember(plane, { email: 'bo@example.org', role: 'owner', tier: 'community', org: 'Free' });
  for (const path of ['/api/enterprise/package', '/api/enterprise/package/1.0.0']) {
    expect(await plane.call('GET', path, { token })).toMatchObject({ status: 403, body: { error: { code: 'entitlement_required' } } });
    expect((await plane.call('GET', path)).status).toBe(401);
  }
});

test('packs the same folder into identical bytes', async () => {
  expect(Buffer.from(await packFolder(folder)).equals(Buffer.from(await packFolder(folder)))).toBe(true);
});

test('rejects a version that is not higher than the latest, except with --rollback', async () => {
  expect((await publish('--version', '1.2.0')).code).toBe(0);
  for (const version of ['1.2.0', '1.1.9', '1.2.0-beta.1', 'new', '1.2']) {
    expect(await publish('--version', version)).toMatchObject({ code: 1, err: expect.stringContaining('PLANE_PACKAGE_ERR_VERSION') });
  }
  expect(await publish()).toMatchObject({ code: 1, err: expect.stringMatching(/: The version is missing\. Add --version .*PLANE_PACKAGE_ERR_WRONG_USE/) });
  expect((await publish('--version', '1.1.9', '--rollback')).code).toBe(0);
});

test('rejects a missing folder, an invalid file name, a symbolic link and a folder without a plugin', async () => {
  const refused = { code: 1, err: expect.stringContaining('PLANE_PACKAGE_ERR_NOT_PACKED') };
  expect(await runCli(plane, 'package', '--version', '1.0.0')).toMatchObject({
    code: 1,
    err: expect.stringContaining(': One plugin folder and a version are required'),
  });
  expect(await runCli(plane, 'package', join(folder, 'nowhere'), '--version', '1.0.0')).toMatchObject(refused);
  await writeFile(join(folder, 'one/na:me'), '');
  expect(await publish('--version', '1.0.0')).toMatchObject(refused);
  await rm(join(folder, 'one/na:me'));
  await symlink('/etc/hostname', join(folder, 'one/link'));
  expect(await publish('--version', '1.0.0')).toMatchObject(refused);
  await rm(join(folder, 'one'), { recursive: true });
  await writeFile(join(folder, 'read.me'), 'x');
  expect(await publish('--version', '1.0.0')).toMatchObject(refused);
});
