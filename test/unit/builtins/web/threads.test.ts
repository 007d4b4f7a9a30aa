import type { Worker } from 'node:worker_threads';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openWeb, type WebWorld } from './web-world.ts';

let started: Worker[] = [];
const note = (worker: Worker): void => void started.push(worker);
const running = (): Worker[] => started.filter(({ threadId }) => threadId !== -1);
let web: WebWorld;
beforeEach(async () => {
  started = [];
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  web = await openWeb({ AGENT_WEB_READABILITY: '1', AGENT_WEB_FETCH_READABILITY_MS: '3000', AGENT_WEB_FETCH_READABILITY_MAX_INPUT_CHARS: '250000' });
});

test('reuses one worker thread for sequential pages and ends it with the plugin', async () => {
  for (const path of ['/news', '/docs', '/pdf', '/blog']) await web.read(path);
  expect([started.length, running().length]).toEqual([1, 1]);
  await web.world.close();
  expect(running()).toEqual([]);
});

test('uses one worker thread per concurrent page and keeps one', async () => {
  await Promise.all(['/news', '/docs', '/blog'].map((path) => web.read(path)));
  expect(started.length).toBeGreaterThan(1);
  await expect.poll(() => running().length).toBe(1);
});

test('discards an aborted worker thread and reads the next page with a new one', async () => {
  const stop = new AbortController();
  web.server.on('/deep', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>first words</p>${'<div class="a">'.repeat(12_000)}deep words`);
  });
  const reading = web.fetch('/deep', {}, { signal: stop.signal });
  await expect.poll(() => started.length).toBe(1);
  stop.abort();
  expect(await reading).toMatchObject({ ok: false });
  await expect.poll(() => running()).toEqual([]);
  expect(await web.read('/docs')).toContain('API reference');
});
