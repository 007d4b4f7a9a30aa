// Tests the health, readiness and metrics endpoints of a node.
import { expect, onTestFinished, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import { startPlane, type Plane } from '../../../helpers/plane.ts';

async function start(environment: Record<string, string> = {}, own?: PluginModule<never>['register']): Promise<Plane> {
  const plane = await startPlane({ environment, ...(own ? { modules: { own: { register: own } } } : {}) });
  onTestFinished(() => plane.close());
  return plane;
}

test('exposes metrics of the node and its plugins in the Prometheus format to local clients', async () => {
  const plane = await start({}, (registry) => {
    registry.add('plane_metric', {
      name: 'plane_own_things',
      help: 'Things, by colour.',
      type: 'gauge',
      read: () => [{ labels: { colour: 'a "quoted"\none' }, value: 2 }],
    });
    registry.add('plane_metric', { name: 'plane_broken_total', help: 'Never there.', type: 'counter', read: () => Promise.reject(new Error('no figure')) });
  });
  await plane.call('GET', '/healthz');
  const reply = await plane.call('GET', '/metrics');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(reply.body).toContain(
    '# HELP plane_own_things Things, by colour.\n# TYPE plane_own_things gauge\nplane_own_things{colour="a \\"quoted\\"\\none"} 2\n',
  );
  expect(reply.body).toMatch(/^plane_http_replies_total\{status="2xx"\} [1-9]/m);
  expect(reply.body).toMatch(/^plane_memory_resident_bytes \d+$/m);
  expect(reply.body).not.toContain('plane_broken_total');
  expect(plane.logs).toContain('warn plane-serve: the metric plane_broken_total could not be read: no figure');
});

test('hides metrics from proxied requests without the metrics token', async () => {
  const plane = await start({ HUB_METRICS_TOKEN: 'a token of more than 16 characters' });
  const forwarded = await plane.call('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(forwarded).toMatchObject({ status: 403, body: { error: { code: 'metrics_closed' } } });
  expect((await plane.call('GET', '/metrics', { token: 'a token of more than 16 characters', headers: { via: '1.1 proxy' } })).status).toBe(200);
  expect((await plane.call('GET', '/metrics', { token: 'another token of that length', headers: { via: '1.1 proxy' } })).status).toBe(403);

  // A proxy that adds no header looks like a local client.
  const hosted = await start({ HUB_PUBLIC_URL: 'https://hub.example.org' });
  expect((await hosted.call('GET', '/metrics')).status).toBe(403);
});

test('returns 503 with the name of a missing component, but logs its reason only', async () => {
  let isThere = true;
  const plane = await start({}, (registry) => {
    registry.add('plane_check', {
      name: 'own',
      isNeeded: true,
      look() {
        if (!isThere) throw new Error('the secret reason');
        return { state: 'fine', message: 'It is there.' };
      },
    });
  });
  expect(await plane.call('GET', '/readyz')).toEqual(
    expect.objectContaining({ status: 200, body: { ok: true, components: { database: 'fine', keys: 'fine', own: 'fine', signals: 'fine' } } }),
  );
  isThere = false;
  const missing = await plane.call('GET', '/readyz');
  expect(missing).toMatchObject({ status: 503, body: { error: { code: 'not_ready', message: expect.stringContaining('own') } } });
  expect(JSON.stringify(missing.body)).not.toContain('secret reason');
  expect(plane.logs.join('\n')).toContain('the secret reason');
  isThere = true;
  expect((await plane.call('GET', '/readyz')).status).toBe(200);
});

test('refuses to start with an invalid list of trusted proxies', async () => {
  const plane = await start({ HUB_TRUSTED_PROXIES: '10.0.0.0/8, everybody' });
  expect(await plane.run('open')).toEqual({ code: 1, said: expect.stringMatching(/HUB_TRUSTED_PROXIES contains 'everybody'.*PLANE_SERVE_ERR_PROXIES/) });
});
