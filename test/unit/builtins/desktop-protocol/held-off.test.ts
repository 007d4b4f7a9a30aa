// Tests that a WebSocket client has the same limits as an HTTP client: current role, rate limits and connection limits.
import { expect, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import { openDesktopSocket } from '../../../helpers/desktop-socket.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;

function guestsOf(guest: { role: string | undefined }): PluginModule<never> {
  const module = {
    manifest: { name: 'guests' },
    register(registry: any) {
      const identify = (token: string): unknown => (token === 'guest' && guest.role ? { kind: 'guest', id: 'g', role: guest.role } : undefined);
      registry.add('token_source', { name: 'guests', identify, isSetUp: () => false });
    },
  };
  return module as unknown as PluginModule<never>;
}

test('checks the current role of each command and closes the connection when access is revoked', async () => {
  const guest: { role: string | undefined } = { role: 'member' };
  harness = await startHarness({ builtins: ['desktop-protocol'], modules: { guests: guestsOf(guest) } });
  const socket = await openDesktopSocket(harness, { token: 'guest' });
  const answer = { askId: 'ask_01ARZ3NDEKTSV4RRFFQ69G5FAV', answer: 'x' };
  expect(await socket.ask('answer', answer)).toMatchObject({ status: 404 });
  guest.role = 'viewer';
  expect(await socket.ask('answer', answer)).toMatchObject({ status: 403, error: { code: 'forbidden' } });
  expect(await socket.ask('change_settings', {})).toMatchObject({ status: 403 });
  guest.role = undefined;
  expect(await socket.ask('status')).toMatchObject({ status: 401, error: { code: 'unauthorized' } });
  expect(await socket.closed).toBe(1008);
});

test('counts wrong pairing codes per machine over both protocols', async () => {
  harness = await startHarness({ builtins: ['desktop-protocol', 'pairing'] });
  const socket = await openDesktopSocket(harness);
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess++) statuses.push((await socket.ask('pair_post', { code: 'ABCD-EFGH', deviceName: 'x' })).status);
  expect(statuses.slice(0, 10).every((status) => status >= 400 && status !== 429)).toBe(true);
  expect(statuses.slice(10)).toEqual([429, 429]);
  expect((await harness.call('POST', '/api/pair', { code: 'ABCD-EFGH', deviceName: 'x' })).status).toBe(429);
});

test('returns the web token to the local owner only', async () => {
  harness = await startHarness({ builtins: ['desktop-protocol'], modules: { guests: guestsOf({ role: 'viewer' }) } });
  expect((await (await openDesktopSocket(harness)).ask('config')).data.webAuthToken).toBe(harness.token);
  expect((await (await openDesktopSocket(harness, { token: 'guest' })).ask('config')).data.webAuthToken).toBeUndefined();
  expect((await (await openDesktopSocket(harness, { headers: { 'x-forwarded-for': '10.1.2.3' } })).ask('config')).data.webAuthToken).toBeUndefined();
});

test('a listener with a role ceiling does not serve the protocol', async () => {
  const addresses: string[] = [];
  const add = (name: string, areas: readonly string[]): PluginModule<never> =>
    ({
      manifest: { name },
      register(registry: any) {
        registry.add('listener', { host: '127.0.0.1', port: 0, ceiling: { role: 'viewer', areas }, opened: ({ url }: { url: string }) => addresses.push(url) });
      },
    }) as unknown as PluginModule<never>;
  harness = await startHarness({ builtins: ['desktop-protocol'], modules: { elsewhere: add('elsewhere', ['things']) } });
  const { token } = harness;
  const socket = openDesktopSocket({ url: addresses[0] ?? '', token }).then(
    () => 'open',
    (fault: Error) => fault.message,
  );
  expect(await socket).toContain('404');
});

test('stops running commands of a client that does not read replies', async () => {
  let made = 0;
  const text = 'x'.repeat(300_000);
  const reply = { type: 'object', properties: { text: { type: 'string' } } };
  const handle = (): object => {
    made++;
    return { text };
  };
  const long = {
    manifest: { name: 'long' },
    register: (registry: any) =>
      registry.add('route', { key: 'GET /api/long', summary: 'A long one.', tag: 'long', permission: 'chats.read', schema: { reply }, handle }),
  } as unknown as PluginModule<never>;
  harness = await startHarness({ builtins: ['desktop-protocol'], modules: { long } });
  const [stuck, quick] = [await openDesktopSocket(harness), await openDesktopSocket(harness)];
  stuck.socket.pause();
  for (let id = 1; id <= 600; id++) stuck.socket.send(JSON.stringify({ v: 1, id, command: 'long' }));
  let before: number;
  do {
    before = made;
    for (let round = 0; round < 100; round++) expect((await quick.ask('ping')).ok).toBe(true);
  } while (made === 0 || made > before);
  // At most 64 commands run concurrently. The socket buffers (10 MB on Linux) take further replies of 300 kB.
  expect(made).toBeLessThanOrEqual(64 + Math.ceil(10_000_000 / text.length));
  stuck.socket.resume();
  await expect.poll(() => stuck.strays.length, { timeout: 60_000 }).toBe(600);
});

test('rejects more than 256 connections with too_many_connections, and accepts one after another closes', async () => {
  const server = (harness = await startHarness({ builtins: ['desktop-protocol'] }));
  const all = await Promise.all(Array.from({ length: 256 }, () => openDesktopSocket(server)));
  const beyond = await openDesktopSocket(server, { isQuiet: true });
  expect(await beyond.closed).toBe(1013);
  expect(beyond.strays).toMatchObject([{ re: null, ok: false, status: 503, error: { code: 'too_many_connections', details: { limit: 256 } } }]);
  all[0]?.close();
  await expect.poll(async () => (await server.call('GET', '/api/status')).body.clients).toBe(255);
  expect((await (await openDesktopSocket(server)).ask('ping')).ok).toBe(true);
});
