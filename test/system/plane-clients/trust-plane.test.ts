// Tests `login --site`: confirming the key of a self-hosted control plane.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Type from 'typebox';
import { keyFingerprint, planeLines } from '#lib/plane-key';
import type { PluginModule } from 'agent-harness/kernel';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { runProgram } from '../../helpers/program.ts';
import { startServerProcess } from '../../helpers/server-process.ts';
import { startCli, type CliKernel } from '../../unit/builtins/cli/cli-kernel.ts';

let plane: Plane;
let ann: AddedMember;
let pem: string;
let fingerprint: string;
let cli: CliKernel | undefined;
beforeAll(async () => {
  plane = await startPlane();
  ann = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'team' });
  pem = await plane.kernel.resolve('planeKeys').publicKey();
  fingerprint = keyFingerprint(pem);
});
afterAll(() => plane.close());
afterEach(async () => {
  await cli?.close();
  cli = undefined;
});

const settings: PluginModule<never> = {
  manifest: {
    name: 'settings-of-tests',
    config: Type.Object({
      site: Type.String({
        default: 'https://hub.example.invalid',
        env: 'AGENT_HUB_SITE_URL',
        tab: 'harness',
        title: 'Site',
        description: 'Site.',
        apply: 'live',
      }),
    }),
  } as never,
  register() {},
};
const start = async (environment: Record<string, string> = {}): Promise<CliKernel> =>
  (cli = await startCli({ environment, modules: { 'settings-of-tests': settings } }));
const readEnvFile = (): Promise<string> => readFile(join(cli?.home ?? '', '.env'), 'utf8').catch(() => '');

test('shows the key with its consequences, changes nothing on denial, and requires --fingerprint without a terminal', async () => {
  const { run } = await start();
  const declined = await run(['login', '--site', plane.url], { isPerson: true, input: ['n'] });
  expect(declined).toMatchObject({ code: 1, stdout: expect.stringContaining(`  ${fingerprint}\n`), stderr: 'Nothing was changed.\n' });
  expect(declined.stdout).toMatch(/Compare it with the output of 'app control-plane key --env' there[\s\S]*code runs on this machine[\s\S]*\[y\/N\]/);
  expect(await run(['login', '--site', plane.url])).toMatchObject({ code: 3, stderr: expect.stringContaining(`--fingerprint ${fingerprint}`) });
  expect(await run(['login', '--site', plane.url], { isPerson: true })).toMatchObject({ code: 1 });
  expect(await readEnvFile()).toBe('');
});

test('rejects a key other than the given fingerprint', async () => {
  const { run } = await start();
  const other = keyFingerprint(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString());
  expect(await run(['login', '--site', plane.url, '--fingerprint', other], { isPerson: true, input: ['y'] })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`has a different key: ${fingerprint}`),
  });
  expect(await readEnvFile()).toBe('');
});

test.each([
  ['no address', 'plane', 2, /--site needs the address/],
  ['another scheme', 'file:///etc/passwd', 2, /--site needs the address/],
  ['a user name in the address', 'https://me@plane.example', 2, /--site needs the address/],
  ['a remote machine without TLS', 'http://plane.example', 2, /does not use TLS/],
  ['an unreachable server', 'http://127.0.0.1:9', 1, /cannot be read: .*ECONNREFUSED/],
])('stores nothing for %s', async (_, site, code, stderr) => {
  const { run } = await start();
  expect(await run(['login', '--site', site], { isPerson: true, input: ['y'] })).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
  expect(await readEnvFile()).toBe('');
});

test('reports a server that is not a control plane', async () => {
  const { run, runServer, server } = await start();
  await runServer();
  const { url } = await server.listen();
  expect(await run(['login', '--site', url], { isPerson: true, input: ['y'] })).toMatchObject({ code: 1, stderr: expect.stringMatching(/and no key/) });
});

test('reports environment variables that override .env before it asks', async () => {
  const { run } = await start({ AGENT_HUB_SITE_URL: 'https://another.example' });
  expect(await run(['login', '--site', plane.url], { isPerson: true, input: ['y'] })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('AGENT_HUB_SITE_URL is set in the environment of the program to another value'),
  });
  expect(await readEnvFile()).toBe('');
});

test('stores the confirmed site and key, and signs a running server in', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trust-home-'));
  const server = await startServerProcess({ home, workspace: home });
  try {
    const environment = { APP_HOME: server.home, HOME: server.home };
    const refused = await runProgram(['login', '--token', ann.token], { environment });
    expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/not valid\. The license is signed with an unknown key\. .*app login --site/) });
    const { code, said } = await runProgram(['login', '--site', `${plane.url}/`, '--fingerprint', fingerprint, '--token', ann.token], { environment });
    expect(said).toContain('ann@example.org');
    expect(code).toBe(0);
    expect((await server.call('GET', '/api/hub/account')).body).toMatchObject({ connected: true, tier: 'team', status: 'active' });
    const path = join(server.home, '.env');
    expect(await readFile(path, 'utf8')).toBe(`${planeLines(plane.url, pem).join('\n')}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await plane.run('key', '--env')).said).toBe(await readFile(path, 'utf8'));
    const again = await runProgram(['login', '--site', plane.url, '--token', ann.token], { environment });
    expect([again.code, again.said.includes(fingerprint)]).toEqual([0, false]);
  } finally {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
});
