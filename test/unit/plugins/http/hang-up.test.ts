import { connect } from 'node:net';
import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { startHarness, useAll } from '../../../helpers/in-process.ts';

const harness = useAll(() => startHarness());

test('a client disconnect during a request is not logged as a fault', async () => {
  const { port } = new URL(harness.url);
  for (let time = 0; time < 3; time++) {
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST /api/message HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${harness.token}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"text":`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    expect((await harness.call('GET', '/api/status')).status).toBe(200);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
  }
  for (let time = 0; time < 20; time++) expect((await harness.call('GET', '/api/status')).status).toBe(200);
  expect(harness.logs.filter((line) => line.startsWith('error'))).toEqual([]);
});

test('a route that fails after a client disconnect is not logged, while any other fault is', async () => {
  let begun = (): void => undefined;
  let ended = Promise.resolve<unknown>(undefined);
  const slow = {
    manifest: { name: 'slow', requires: ['http'] },
    register(registry: any) {
      for (const [key, why] of [
        ['GET /api/slow', undefined],
        ['GET /api/broken', new Error('a fault of its own')],
      ] as const)
        registry.add('route', {
          key,
          summary: 'Waits until its client has left.',
          tag: 'test',
          permission: 'chats.read',
          schema: { reply: Type.Object({}) },
          handle({ signal }: { signal: AbortSignal }) {
            const gone = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(why ?? signal.reason)));
            ended = gone.catch(() => undefined);
            begun();
            return gone;
          },
        });
    },
  };
  const own = await startHarness({ modules: { slow: slow as never } });
  for (const path of ['/api/slow', '/api/broken']) {
    const controller = new AbortController();
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const asked = fetch(own.url + path, { headers: { authorization: `Bearer ${own.token}` }, signal: controller.signal }).catch(() => undefined);
    await begins;
    controller.abort();
    await Promise.all([asked, ended]);
    expect((await own.call('GET', '/api/status')).status).toBe(200);
  }
  await expect.poll(() => own.logs.filter((line) => line.startsWith('error')).join('\n')).toContain('a fault of its own');
  expect(own.logs.filter((line) => line.startsWith('error') && line.includes('/api/slow'))).toEqual([]);
});

test('an invalid sign-in callback returns a page to a browser and JSON to a program', async () => {
  const path = '/api/hub/auth/callback?token=x.y.z&state=<script>';
  const page = await fetch(harness.url + path, { headers: { accept: 'text/html,*/*' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([expect.any(Number), 'text/html; charset=utf-8']);
  expect(page.status).toBeGreaterThanOrEqual(400);
  const text = await page.text();
  expect(text).toContain('That did not work.');
  expect(text).not.toContain('<script>');
  const data = await fetch(harness.url + path, { headers: { accept: 'application/json' } });
  expect([data.status, await data.json()]).toEqual([page.status, { error: expect.objectContaining({ code: expect.any(String) }) }]);
});

test('the OpenAPI document lists every status of a route', async () => {
  const { body } = await harness.call('GET', '/api/openapi.json');
  const statuses = Object.keys(body.paths['/api/message'].post.responses);
  expect(statuses).toEqual(expect.arrayContaining(['402', '408', '413', '415', '429', '431', '500', '502', '503']));
});
