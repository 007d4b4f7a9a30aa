import { expect, test } from 'vitest';
import { site } from './pages/site.ts';
import { useAll } from '../../../helpers/use-opened.ts';
import { openWeb } from './web-world.ts';

/** Sends whitespace indefinitely. */
const drip = (response: { write(text: string): void; on(event: 'close', end: () => void): void }): void => {
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
};

// Run concurrently, because each test waits for a real timeout.
const short = useAll(() => openWeb({ AGENT_WEB_FETCH_TIMEOUT_MS: '3000', AGENT_WEB_FETCH_RETRIES: '0' }));
const walled = useAll(() => openWeb({ AGENT_WEB_FETCH_TIMEOUT_MS: '5000', AGENT_WEB_FETCH_TOTAL_WALL_MS: '8000', AGENT_WEB_FETCH_RETRIES: '8' }));
const hasty = useAll(() =>
  openWeb({ AGENT_WEB_READABILITY: '1', AGENT_WEB_FETCH_READABILITY_MS: '3000', AGENT_WEB_FETCH_READABILITY_MAX_INPUT_CHARS: '250000' }),
);
const plain = useAll(() => openWeb());

test.concurrent('AGENT_WEB_FETCH_TIMEOUT_MS: limits an attempt including its download', async () => {
  short.server.on('/slow', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    drip(response);
  });
  expect(await short.fetch('/slow')).toMatchObject({ ok: false, error: expect.stringContaining('within 3 s') });
});

test.concurrent('AGENT_WEB_FETCH_TOTAL_WALL_MS: limits a call with all its attempts', async () => {
  walled.server.on('/slow', () => undefined);
  const started = performance.now();
  expect(await walled.fetch('/slow')).toMatchObject({ ok: false, error: expect.stringContaining('did not deliver') });
  expect(performance.now() - started).toBeGreaterThan(7000);
  expect(walled.server.count('/slow')).toBe(2);
});

test.concurrent('AGENT_WEB_FETCH_READABILITY_MS: limits article detection and then returns the page with tags stripped', async () => {
  const deep = '<div class="a">'.repeat(3000) + 'deep words' + '</div>'.repeat(3000);
  hasty.server.on('/deep', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>first words</p>${deep.repeat(3)}`));
  expect(await hasty.read('/deep')).toMatch(/Note: The article could not be found in time[\s\S]*deep words/);
});

test.concurrent('AGENT_WEB_READABILITY: applies to the next read of the same page', async () => {
  expect(await plain.read('/news')).toContain('topic 3');
  await plain.world.kernel.control.setPreferences({ AGENT_WEB_READABILITY: '1' });
  expect(await plain.read('/news')).not.toContain('topic 3');
  expect(site['news']?.marks).toBe(40);
});
