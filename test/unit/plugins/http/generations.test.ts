import { EventEmitter, once } from 'node:events';
import type { PluginModule } from 'agent-harness/kernel';
import { loadPlugins } from 'agent-harness/kernel';
import { expect, test } from 'vitest';
import { openHttp, routes, type OpenHttp } from './open-http.ts';

let http: OpenHttp | undefined;

function licensing(): { plugin: PluginModule<any>; set(...keys: string[]): void } {
  const held = new Set<string>();
  const changes = new EventEmitter();
  const source = {
    has: (key: string) => held.has(key),
    onChange(listener: () => void) {
      changes.on('change', listener);
      return { dispose: () => void changes.off('change', listener) };
    },
  };
  return {
    plugin: { manifest: { name: 'licensing', provides: ['entitlements'] }, register: (registry) => void registry.provide('entitlements', () => source) },
    set(...keys) {
      held.clear();
      for (const key of keys) held.add(key);
      changes.emit('change');
    },
  };
}

function stream(feed: EventEmitter): PluginModule<any> {
  return routes({
    key: 'GET /api/stream',
    isRaw: true,
    handle: ({ reply }) => {
      reply.sse({ data: 'hello' });
      feed.on('say', (data: string) => reply.sse({ data }));
    },
  });
}

function settled(opened: OpenHttp, plugin: string): Promise<void> {
  return new Promise((resolve) => {
    opened.kernel.emitter.on('plugin_changed', ({ name }) => {
      if (name === plugin) resolve();
    });
  });
}

test('gated routes appear and disappear with the entitlement while an open stream continues', async () => {
  const license = licensing();
  const feed = new EventEmitter();
  const premium: PluginModule<any> = {
    manifest: { name: 'premium', entitlement: 'pro.cloud_sync' },
    ...routes({ key: 'GET /api/premium', handle: () => ({ premium: true }) }),
  };
  http = await openHttp({ licensing: license.plugin, premium, streaming: stream(feed) });
  const reader = (await fetch(`${http.url}/api/stream?token=${http.token}`)).body!.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toContain('hello');
  expect((await http.ask('/api/premium')).status).toBe(404);

  let changed = settled(http, 'premium');
  license.set('pro.cloud_sync');
  await changed;
  expect((await http.ask('/api/premium')).body).toEqual({ premium: true });
  feed.emit('say', 'still here');
  expect(await next()).toContain('still here');

  changed = settled(http, 'premium');
  license.set();
  await changed;
  expect((await http.ask('/api/premium')).status).toBe(404);
  feed.emit('say', 'and still');
  expect(await next()).toContain('and still');
  await reader.cancel();
});

test('a request on the old generation finishes after the swap', async () => {
  const gate = new EventEmitter();
  const slow = routes({
    key: 'GET /api/slow',
    handle: async () => {
      gate.emit('entered');
      await once(gate, 'leave');
      return { ok: true };
    },
  });
  http = await openHttp({ slow });
  const entered = once(gate, 'entered');
  const asked = http.ask('/api/slow');
  await entered;
  const late = routes({ key: 'GET /api/late', handle: () => ({ late: true }) });
  await loadPlugins(http.kernel.registry, http.kernel.emitter, { sources: [{ origin: 'builtin', modules: { late: late as never } }] });
  expect((await http.ask('/api/late')).body).toEqual({ late: true });
  gate.emit('leave');
  expect((await asked).body).toEqual({ ok: true });
});

test('the port stays open while many plugins are enabled and disabled', async () => {
  const plugins = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`plugin-${n}`, routes({ key: `GET /api/p/${n}`, handle: () => ({ n }) })]));
  http = await openHttp({ steady: routes({ key: 'GET /api/steady', handle: () => ({ ok: true }) }), ...plugins });
  const { kernel, ask } = http;
  let isChanging = true;
  const changing = (async () => {
    for (let round = 0; round < 10; round++) await kernel.control.setDisabled(round % 2 === 0 ? Object.keys(plugins) : []);
    isChanging = false;
  })();
  const statuses = new Set<number>();
  while (isChanging) statuses.add((await ask('/api/steady')).status);
  await changing;
  expect([...statuses]).toEqual([200]);
  expect((await ask('/api/p/7')).body).toEqual({ n: 7 });
});

test('routes are registered at the first request after a change', async () => {
  let registered = 0;
  const counted = {
    ...{ key: 'GET /api/counted', summary: 'A route.', tag: 'test', schema: {}, handle: () => ({ ok: true }) },
    get bodyLimit() {
      registered++;
      return undefined;
    },
  };
  let add = (_: unknown): unknown => undefined;
  http = await openHttp({ counted: { register: (registry: any) => void ((add = (route) => registry.add('route', route)), add(counted)) } }, { listen: false });
  const ask = async (): Promise<number> =>
    (await http?.kernel.resolve('http').dispatch({ method: 'GET', path: '/api/counted' }, { principal: { kind: 'owner', id: 'owner', role: 'owner' } }))
      ?.status ?? 0;
  expect(registered).toBe(0);
  expect([await ask(), await ask()]).toEqual([200, 200]);
  const once = registered;
  for (let n = 0; n < 5; n++) add({ ...counted, key: `GET /api/further/${n}` });
  const copied = registered;
  expect(await ask()).toBe(200);
  expect([once > 0, registered - copied]).toEqual([true, once]);
});

test('a route that is removed and added again in one step is always served', async () => {
  const served = { key: 'GET /api/moving', summary: 'A route.', tag: 'test', schema: {}, handle: () => ({ ok: true }) } as const;
  let add = (): { dispose(): unknown } => ({ dispose: () => undefined });
  http = await openHttp({ moving: { register: (registry: any) => void (add = () => registry.add('route', served)) } });
  let added = add();
  expect((await http.ask('/api/moving')).status).toBe(200);
  for (let round = 0; round < 5; round++) {
    await added.dispose();
    const asked = http.ask('/api/moving');
    await new Promise(setImmediate);
    added = add();
    expect((await asked).status).toBe(200);
  }
});

test('a duplicate route key fails the later plugin and names both owners', async () => {
  const one = routes({ key: 'GET /api/same/:id', handle: () => ({ owner: 'one' }) });
  const two = routes({ key: 'GET /api/same/:name', handle: () => ({ owner: 'two' }) });
  http = await openHttp({ one, two });
  const { plugins } = http.kernel.control.report();
  expect(plugins.find((row) => row.name === 'two')).toMatchObject({ state: 'failed', reason: expect.stringMatching(/'two'.*'one'/) });
  expect((await http.ask('/api/same/1')).body).toEqual({ owner: 'one' });
});

test.each(['GET api/x', 'FETCH /api/x', 'GET /api/*/x', 'GET /api/(.*)', 'GET /api/x?y=1', ''])("rejects the route key '%s'", async (key) => {
  http = await openHttp({ wrong: routes({ key: key as never, handle: () => ({}) }) });
  expect(http.kernel.control.report().plugins.find((row) => row.name === 'wrong')).toMatchObject({ state: 'failed' });
});

test('a route without a handler or a schema fails its plugin and names the missing part', async () => {
  http = await openHttp({
    deaf: routes({ key: 'GET /api/deaf', handler: () => ({}) } as never),
    bare: { register: (registry: any) => registry.add('route', { key: 'GET /api/bare', handle: () => ({}) }) },
  });
  const reasonOf = (name: string): unknown => http?.kernel.control.report().plugins.find((row) => row.name === name)?.reason;
  expect([reasonOf('deaf'), reasonOf('bare')]).toEqual([expect.stringContaining('needs a function handle'), expect.stringContaining('needs a schema')]);
});

test('one path may combine several methods, parameter names and a wildcard', async () => {
  const several = routes(
    { key: 'GET /api/x/:id', handle: ({ params }: any) => ({ get: params.id }) },
    { key: 'DELETE /api/x/:name', handle: ({ params }: any) => ({ delete: params.name }) },
    { key: 'GET /api/x/:other/more', handle: ({ params }: any) => ({ more: params.other }) },
    { key: 'GET /files/*', handle: ({ params }: any) => ({ rest: params['*'] }) },
  );
  http = await openHttp({ several });
  expect((await http.ask('/api/x/1')).body).toEqual({ get: '1' });
  expect((await http.ask('/api/x/1', { method: 'DELETE' })).body).toEqual({ delete: '1' });
  expect((await http.ask('/api/x/1/more')).body).toEqual({ more: '1' });
  expect((await http.ask('/files/a/b.css')).body).toEqual({ rest: 'a/b.css' });
});
