import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tampered } from '../../../helpers/tampered.ts';
import { startHarness, type Harness, type HarnessOptions } from '../../../helpers/harness.ts';

let harness: Harness | undefined;

async function start(options: HarnessOptions = {}): Promise<{ readonly registry: any; readonly emitter: any }> {
  let parts: { registry: any; emitter: any } | undefined;
  const probe = {
    manifest: { name: 'probe', requires: ['connectionStore'] },
    register: (registry: any, emitter: any) => void (parts = { registry, emitter }),
  };
  harness = await startHarness({ builtins: [], ...options, modules: { probe: probe as never } });
  return parts as { registry: any; emitter: any };
}

test('a sealed secret opens again after a restart and is in no file in plain text', async () => {
  const first = await start();
  const store = first.registry.services.connectionStore;
  const sealed = await store.seal('hunter2');
  await store.update('mcp', 'one', () => ({ token: sealed }));
  expect(await store.unseal(sealed)).toBe('hunter2');
  const { home } = harness as Harness;
  expect(await readFile(join(home, 'integrations.json'), 'utf8')).not.toContain('hunter2');
  for (const name of ['integrations.json', 'integrations.key']) expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
  await harness?.close({ keepFiles: true });
  const second = await start({ home });
  const again = await second.registry.services.connectionStore.entries('mcp');
  expect(await second.registry.services.connectionStore.unseal(again.one.token)).toBe('hunter2');
});

test('a modified secret or one sealed with another key does not open', async () => {
  const { registry } = await start();
  const store = registry.services.connectionStore;
  const sealed: string = await store.seal('hunter2');
  for (const broken of [tampered(sealed), '', 'v1', 'v1.a.b', 'v2.a.b', sealed.replace('v1.', 'v1.x')]) expect(await store.unseal(broken)).toBeUndefined();
});

test('entries are updated one at a time, removed, and separated by section', async () => {
  const { registry } = await start();
  const store = registry.services.connectionStore;
  await Promise.all(Array.from({ length: 20 }, () => store.update('openapi', 'count', (now = 0) => now + 1)));
  await store.update('mcp', 'count', () => 5);
  expect(await store.entries('openapi')).toEqual({ count: 20 });
  expect(await store.update('openapi', 'count', () => undefined)).toBeUndefined();
  expect(await store.entries('openapi')).toEqual({});
  expect(await store.entries('mcp')).toEqual({ count: 5 });
});

test('rejects an invalid entry name and changes nothing', async () => {
  const { registry } = await start();
  for (const name of ['__proto__', 'constructor!', '', 'A', '../x', 'a'.repeat(65)]) {
    await expect(registry.services.connectionStore.update('mcp', name, () => 1)).rejects.toMatchObject({ code: 'CONNECTIONS_ERR_ENTRY_INVALID' });
  }
  expect(await registry.services.connectionStore.entries('constructor')).toEqual({});
});

test('lists all sources in order, and logs and omits a failing one', async () => {
  const { registry } = await start();
  registry.add('connection_source', {
    name: 'good',
    connections: () => [
      { name: 'zed', kind: 'mcp', status: 'failed', toolCount: 0, error: 'It ended.' },
      { name: 'abc', kind: 'mcp', status: 'connected', toolCount: 3 },
    ],
    providers: () => [{ id: 'notes', title: 'Notes', kind: 'notes app', status: 'disconnected', accounts: [] }],
  });
  registry.add('connection_source', { name: 'broken', connections: () => Promise.reject(new Error('no luck')) });
  const { status, body } = await (harness as Harness).call('GET', '/api/integrations');
  expect(status).toBe(200);
  expect(body.connections.map((one: any) => one.name)).toEqual(['abc', 'zed']);
  expect(body.providers).toEqual([{ id: 'notes', title: 'Notes', kind: 'notes app', status: 'disconnected', accounts: [] }]);
  expect((harness as Harness).logs.join('\n')).toMatch(/'broken' cannot be listed.*no luck/);
});

test('rejects a second source with the same name', async () => {
  const { registry } = await start();
  registry.add('connection_source', { name: 'same' });
  expect(() => registry.add('connection_source', { name: 'same' })).toThrow(/same/);
});

test('a changed connection emits integration_changed', async () => {
  const { emitter } = await start();
  const received: unknown[] = [];
  emitter.on('integration_changed', (event: unknown) => received.push(event));
  await emitter.call('connection.changed', [{ kind: 'mcp', name: 'one', status: 'connected' }]);
  expect(received).toMatchObject([{ connectionKind: 'mcp', name: 'one', status: 'connected' }]);
});
