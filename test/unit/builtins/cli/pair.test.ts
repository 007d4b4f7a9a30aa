// Tests `pair` against the real routes: QR code, waiting, listing and revoking.
import { beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;
let stop: AbortController;
beforeEach(() => void (stop = new AbortController()));

const start = async (listen = true): Promise<void> => void (harness = await startHarness({ builtins: ['model-demo', 'pairing', 'cli'], listen }));
const run = (argv: readonly string[], watch?: (written: string) => void): ReturnType<typeof runCommandLine> =>
  runCommandLine(harness.kernel, argv, { signal: stop.signal, ...(watch ? { watch } : {}) });

const codeIn = (text: string): string | undefined => /^ {2}([2-9A-Z]{4}-[2-9A-Z]{4})$/m.exec(text)?.[1];

async function pairDevice(deviceName: string, ...more: readonly string[]): ReturnType<typeof run> {
  let used: Promise<unknown> | undefined;
  const result = await run(['pair', ...more], (written) => {
    const code = codeIn(written);
    if (code !== undefined) used ??= harness.call('POST', '/api/pair', { code, deviceName });
  });
  await used;
  return result;
}

test('shows the QR code, address and code, and waits until a device is paired', async () => {
  await start();
  const { code, stdout, stderr } = await pairDevice('Phone');
  expect(stdout).toContain('▄');
  expect(stdout).toContain(`  ${harness.url}\n`);
  expect(stdout).toMatch(/Paired: Phone \([0-9a-f]{16}\)\n$/);
  expect(stderr).toContain('listens on this machine only');
  expect(code).toBe(0);
});

test('stops waiting on Ctrl-C', async () => {
  await start();
  const { code, stdout } = await run(['pair'], (written) => void (codeIn(written) && stop.abort()));
  expect(code).toBe(1);
  expect(stdout).not.toContain('Paired:');
});

test('reports a newer code and exits 1', async () => {
  await start();
  let other: Promise<unknown> | undefined;
  const { code, stderr } = await run(['pair'], (written) => void (codeIn(written) && (other ??= harness.call('POST', '/api/pair/begin', {}))));
  await other;
  expect(code).toBe(1);
  expect(stderr).toContain('A newer code was created in the meantime');
});

test('lists devices and revokes one by its id', async () => {
  await start();
  expect((await run(['pair', '--list'])).stdout).toBe('No device is paired.\n');
  await pairDevice('Tablet');
  const [device] = JSON.parse((await run(['pair', '--list', '--json'])).stdout).devices;
  expect(device).toEqual({ id: expect.any(String), name: 'Tablet', role: 'chat', createdAt: expect.any(String) });
  expect((await run(['pair', '--list'])).stdout).toMatch(new RegExp(`^${device.id}  chat  paired 20.+  seen never  Tablet\\n$`));
  expect(await run(['pair', '--revoke', device.id])).toMatchObject({ code: 0, stdout: expect.stringContaining('Revoked') });
  expect((await run(['pair', '--list'])).stdout).toBe('No device is paired.\n');
  const again = await run(['pair', '--revoke', device.id]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`There is no paired device '${device.id}'.`)]);
});

test('without a running server, explains how to start one that other devices can reach', async () => {
  await start(false);
  const { code, stdout, stderr } = await run(['pair']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('No server is running.');
  expect(stderr).toContain('--host 0.0.0.0');
  const { port } = await harness.kernel.resolve('http').listen({ host: '0.0.0.0', port: 0 });
  expect(port).toBeGreaterThan(0);
  await harness.kernel.resolve('http').close();
});

test('pairs a device with the requested role and lists its role', async () => {
  await start();
  expect((await pairDevice('Wall', '--role', 'view')).stdout).toContain('will read chats, and nothing else');
  expect((await pairDevice('Laptop', '--role', 'full')).stdout).toContain('the same permissions as you');
  expect((await run(['pair', '--list'])).stdout).toMatch(/ {2}view +paired .+ Wall\n.+ {2}full +paired .+ Laptop\n$/);
  expect(await run(['pair', '--role', 'root'])).toMatchObject({ code: 2, stderr: expect.stringContaining('view, chat or full') });
  expect(await run(['pair', '--list', '--role', 'view'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--role applies to a new device only.') });
  expect(await run(['pair', '--list', '--revoke', 'x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--list and --revoke <id> cannot be combined.'),
  });
});
