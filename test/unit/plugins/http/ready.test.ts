import { EventEmitter, once } from 'node:events';
import { createKernel, loadPlugins, type Kernel, type PluginModule } from 'agent-harness/kernel';
import { expect, test, vi } from 'vitest';
import * as httpPlugin from '../../../../plugins/http/index.ts';
import * as patternsPlugin from '../../../../plugins/patterns/index.ts';
import * as processesPlugin from '../../../../plugins/processes/index.ts';
import * as storagePlugin from '../../../../plugins/storage/index.ts';
import { createReadiness } from '../../../../plugins/http/http-service.ts';
import { routes } from './open-http.ts';
import { configOf } from '../../../helpers/config-of.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const home = useFolder('http-home-');

const platform = { patterns: patternsPlugin, processes: processesPlugin, storage: storagePlugin, http: httpPlugin } as unknown as Record<
  string,
  PluginModule<never>
>;
const newKernel = (logs: string[] = []): Kernel =>
  createKernel({
    config: configOf({ environment: { PORT: '0' } }),
    services: { product: { name: 'app', title: 'T', version: '1', home, startFolder: home } },
    log: (level, plugin, message) => void logs.push(`${level} ${plugin}: ${message}`),
  });

test('a route that needs all plugins and an unknown route wait for the first load, other routes reply immediately', async () => {
  const gate = new EventEmitter();
  const entered = once(gate, 'entered');
  const slow: PluginModule<any> = {
    manifest: { name: 'slow', requires: ['http'] },
    async register(registry) {
      gate.emit('entered');
      await once(gate, 'leave');
      registry.add('route', { key: 'POST /api/late', summary: 'S', tag: 't', schema: { body: {} }, handle: ({ body }: any) => body });
    },
  };
  const some = routes(
    { key: 'GET /api/status', handle: () => ({ at: 'once' }) },
    { key: 'GET /api/config', waitsForReady: true, handle: () => ({ at: 'last' }) },
  );
  const kernel = newKernel();
  const loaded = loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: platform },
      { origin: 'builtin', modules: { aaa: some as never, slow: slow as never } },
    ],
  });
  await entered;
  const { url } = await kernel.resolve('http').listen();
  const headers = { authorization: `Bearer ${await kernel.resolve('webToken').current()}` };
  const asked = fetch(`${url}/api/config`, { headers });
  const post = (path: string) =>
    fetch(url + path, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"is":"sent early"}' });
  const [late, missing] = [post('/api/late'), post('/api/missing')];
  expect(await (await fetch(`${url}/api/status`, { headers })).json()).toEqual({ at: 'once' });
  gate.emit('leave');
  await loaded;
  expect(await (await asked).json()).toEqual({ at: 'last' });
  expect(await (await late).json()).toEqual({ is: 'sent early' });
  expect((await missing).status).toBe(404);
  expect((await post('/api/missing')).status).toBe(404);
  await kernel.close();
});

test('the wait fails with not_ready after ten seconds', async () => {
  vi.useFakeTimers();
  try {
    const notReady = Object.assign(new Error('not ready'), { code: 'HTTP_ERR_NOT_READY' });
    const waiting = expect(createReadiness(() => notReady).wait()).rejects.toBe(notReady);
    await vi.advanceTimersByTimeAsync(10_000);
    await waiting;
  } finally {
    vi.useRealTimers();
  }
});

/** A server after its first load, with a third-party plugin that is loaded afterwards. */
async function openWithLatePlugin(load: () => Promise<unknown>, logs: string[] = []) {
  const kernel = newKernel(logs);
  const config = routes({ key: 'GET /api/config', waitsForReady: true, handle: () => ({ at: 'once' }) });
  await loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'platform', modules: { ...platform, config: config as never } }] });
  const listening = new Promise<void>((resolve) => void kernel.emitter.on('server_listening', () => resolve()));
  const entries = [{ name: 'late', place: 'late.mjs', load }];
  const loading = kernel.plugins.later(() => kernel.plugins.load({ sources: [{ origin: 'user', entries }] }), listening);
  loading.catch(() => undefined);
  const { url } = await kernel.resolve('http').listen();
  const headers = { authorization: `Bearer ${await kernel.resolve('webToken').current()}` };
  return { kernel, get: (path: string) => fetch(url + path, { headers }) };
}

test('a third-party plugin whose import never ends delays no product route', async () => {
  const { kernel, get } = await openWithLatePlugin(() => new Promise(() => undefined));
  expect(await (await get('/api/config')).json()).toEqual({ at: 'once' });
  await kernel.close();
});

test('a request for a third-party route waits for its plugin', async () => {
  let arrive = (_: unknown): void => undefined;
  const { kernel, get } = await openWithLatePlugin(() => new Promise((resolve) => (arrive = resolve)));
  const asked = get('/api/late');
  expect((await get('/api/config')).status).toBe(200);
  arrive(routes({ key: 'GET /api/late', handle: () => ({ at: 'last' }) }));
  expect(await (await asked).json()).toEqual({ at: 'last' });
  await kernel.close();
});

test('a failed warm-up logs one info line without a stack', async () => {
  const logs: string[] = [];
  const kernel = newKernel(logs);
  // The kernel never becomes ready.
  await kernel.plugins.load({ sources: [{ origin: 'platform', modules: platform }] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await kernel.resolve('http').listen();
    await vi.advanceTimersByTimeAsync(11_000);
  } finally {
    vi.useRealTimers();
  }
  expect(logs.filter((line) => line.includes('warmed up'))).toEqual([expect.stringMatching(/^info http: the server was not warmed up: [^\n]+$/)]);
  await kernel.close();
});
