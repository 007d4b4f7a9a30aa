// Tests a plugin package from publication on the control plane to loading, replacement and removal in a service.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { runCli } from '../control-plane/plane-licenses/plane-kit.ts';

let plane: Plane;
let publicKey: string;
let ann: AddedMember;
let folder: string;
let home: string;
let harness: Harness;
let faults: { readonly code: string; readonly message: string }[];
beforeAll(async () => {
  plane = await startPlane();
  publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  ann = await addMember(plane, { email: 'ann@example.org', role: 'viewer', tier: 'pro' });
});
afterAll(() => plane.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  home = await mkdtemp(join(tmpdir(), 'package-home-'));
  await plane.kernel.resolve('database').query('delete from package');
});
afterEach(async () => {
  await harness.close();
  for (const one of [folder, home]) await rm(one, { recursive: true, force: true });
});

const query = (sql: string, values: unknown[] = []): Promise<any[]> => plane.kernel.resolve('database').query(sql, values);
const publish = (...args: string[]): ReturnType<typeof runCli> => runCli(plane, 'package', folder, ...args);
const code = (answer: string, name = 'greeter'): string => `
export const manifest = { name: '${name}' };
export function register(registry) {
  registry.add('route', { key: 'GET /test/greeting', summary: 'Greets.', tag: 'test', schema: {}, handle: () => ({ answer: '${answer}' }) });
}
`;
async function write(answer: string, source = code(answer)): Promise<void> {
  await mkdir(join(folder, 'greeter'), { recursive: true });
  await writeFile(join(folder, 'greeter', 'index.mjs'), source);
}
async function start({ signsIn = true, isSignedIn = false } = {}): Promise<void> {
  faults = [];
  if (isSignedIn) await writeFile(join(home, 'license.json'), JSON.stringify({ token: ann.token }));
  harness = await startHarness({
    home,
    builtins: ['hub', 'enterprise-package'],
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey },
  });
  harness.kernel.emitter.on('error', (fault) => void faults.push(fault));
  if (signsIn) await harness.kernel.resolve('license').apply(ann.token, 'browser');
}
const greeting = async (): Promise<unknown> => (await harness.call('GET', '/test/greeting')).body.answer;
const saysSoon = (answer: unknown): Promise<void> => vi.waitFor(async () => expect(await greeting()).toBe(answer), 20_000);
const look = (): Promise<unknown> => harness.call('POST', '/api/hub/reconnect', {});
const waitForReason = (reason: string): Promise<void> =>
  vi.waitFor(() => expect(faults.map((fault) => fault.code)).toContain(`ENTERPRISE_PACKAGE_ERR_${reason}`), 20_000);

test('loads the package after sign-in, unloads it after sign-out and loads it from disk at the next start', async () => {
  await write('hello');
  expect(await publish('--version', '1.0.0')).toMatchObject({ code: 0, out: expect.stringMatching(/^1\.0\.0: \d+ bytes, SHA-256 [0-9a-f]{64}\n$/) });
  await start({ signsIn: false });
  expect((await harness.call('GET', '/test/greeting')).status).toBe(404);
  await harness.kernel.resolve('license').apply(ann.token, 'browser');
  await saysSoon('hello');
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  expect(plugins.find(({ name }: any) => name === 'greeter')).toMatchObject({ origin: 'bundle', state: 'active' });
  expect(await readdir(home)).toContain('enterprise');
  expect(await readFile(join(home, 'enterprise/greeter/index.mjs'), 'utf8')).toContain('hello');
  await harness.kernel.resolve('license').clear();
  await saysSoon(undefined);
  expect(faults).toEqual([]);
  await harness.close();
  await query('delete from package');
  await start({ signsIn: false, isSignedIn: true });
  await saysSoon('hello');
});

test('replaces the package with a newer one and restores the previous one if that fails', async () => {
  await write('one');
  await publish('--version', '1.0.0');
  await start();
  await saysSoon('one');
  await write('two');
  await publish('--version', '1.1.0');
  await look();
  await saysSoon('two');
  await write('', `throw new Error('broken on purpose');`);
  await publish('--version', '1.2.0');
  await look();
  await waitForReason('FAILED');
  await saysSoon('two');
  expect(await readFile(join(home, 'enterprise/greeter/index.mjs'), 'utf8')).toContain('two');
  expect(faults.find((fault) => fault.code.endsWith('FAILED'))?.message).toContain('broken on purpose');
});

test('rejects an older package unless it is signed as a rollback', async () => {
  await write('new');
  await publish('--version', '2.0.0');
  await start();
  await saysSoon('new');
  await query('delete from package');
  await write('old');
  await publish('--version', '1.0.0');
  await look();
  await waitForReason('OLDER');
  expect(await greeting()).toBe('new');
  await query('delete from package');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });
  await publish('--version', '1.0.0', '--rollback');
  vi.useRealTimers();
  await look();
  await saysSoon('old');
});

test.each<[string, () => Promise<unknown>]>([
  ['a modified archive', () => query(`update package_chunk set content = set_byte(content, 40, (get_byte(content, 40) + 1) % 256)`)],
  ['a truncated archive', () => query(`update package_chunk set content = substring(content from 1 for 50)`)],
  ['an archive with trailing data', () => query(`update package_chunk set content = content || '\\x00'::bytea`)],
  ['a modified manifest', () => query(`update package set manifest = replace(manifest, '.', '.e')`)],
  [
    'a manifest signed for another purpose',
    async () =>
      query('update package set manifest = $1', [
        await plane.kernel.resolve('planeKeys').sign('policy', { version: '1.0.0', sha256: 'a'.repeat(64), size: 1, iat: 1 }),
      ]),
  ],
  [
    'a manifest without a hash',
    async () => query('update package set manifest = $1', [await plane.kernel.resolve('planeKeys').sign('package', { version: '1.0.0', size: 1, iat: 1 })]),
  ],
])('rejects %s and loads nothing', async (_, change) => {
  await write('evil');
  await publish('--version', '1.0.0');
  await change();
  await start();
  await waitForReason('INVALID');
  expect((await harness.call('GET', '/test/greeting')).status).toBe(404);
  expect((await readdir(home)).filter((name) => name.startsWith('enterprise'))).toEqual([]);
});

test('does not run an unsigned plugin in the package folder', async () => {
  await mkdir(join(home, 'enterprise/greeter'), { recursive: true });
  await writeFile(join(home, 'enterprise/greeter/index.mjs'), code('mine'));
  await start();
  await waitForReason('INVALID');
  expect((await harness.call('GET', '/test/greeting')).status).toBe(404);
});

test('does not install a package that requires a newer program version', async () => {
  await write('later');
  await publish('--version', '1.0.0', '--min-version', '99.0.0');
  await start();
  await waitForReason('NOT_INSTALLED'); // ENTERPRISE_PACKAGE_ERR_NOT_INSTALLED
  expect((await harness.call('GET', '/test/greeting')).status).toBe(404);
});

test('reports no fault without a package', async () => {
  await start();
  await harness.kernel
    .resolve('controlPlane')
    .request({ method: 'GET', path: '/api/enterprise/package' })
    .catch(() => undefined);
  await look();
  await new Promise((resolve) => setImmediate(resolve));
  expect(faults).toEqual([]);
});
