import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Answer } from './fault-server.ts';
import { openWeb } from './web-world.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const web = useEach(() => openWeb());

const html = { 'content-type': 'text/html; charset=utf-8' };
const ok: Answer = (_, response) => void response.writeHead(200, html).end('<p>fine</p>');
const after =
  (faults: number, fault: Answer): Answer =>
  (request, response, count) =>
    (count <= faults ? fault : ok)(request, response, count);
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, { ...html, ...headers }).end('<p>not now</p>');

test('waits for Retry-After of a 429 and reports the wait as progress', async () => {
  web.server.on('/busy', after(1, status(429, { 'retry-after': '1' })));
  const notes: string[] = [];
  expect(await web.fetch('/busy', {}, { progress: (note) => void notes.push(note) })).toMatchObject({ ok: true });
  const [first, second] = web.server.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
  expect(notes).toEqual([expect.stringMatching(/status 429; next try in 1\.0 s/)]);
});

test('accepts a Retry-After date and limits the wait to AGENT_WEB_FETCH_RETRY_MAX_DELAY_MS', async () => {
  const short = await openWeb({ AGENT_WEB_FETCH_RETRY_MAX_DELAY_MS: '500' });
  short.server.on('/busy', after(1, status(429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() })));
  const notes: string[] = [];
  expect(await short.fetch('/busy', {}, { progress: (note) => void notes.push(note) })).toMatchObject({ ok: true });
  expect(notes).toEqual([expect.stringMatching(/next try in 0\.5 s/)]);
});

test('retries 5xx responses and reset connections with increasing delays', async () => {
  web.server.on('/ill', after(1, status(503)));
  web.server.on(
    '/reset',
    after(2, (_, response) => response.socket?.resetAndDestroy()),
  );
  const waits: number[] = [];
  const progress = (note: string): void => void waits.push(Number(/next try in ([\d.]+) s/.exec(note)?.[1]));
  const [ill, reset] = await Promise.all([web.fetch('/ill'), web.fetch('/reset', {}, { progress })]);
  expect([ill, reset]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(web.server.count('/reset')).toBe(3);
  expect(waits).toHaveLength(2);
  // Random jitter shortens each delay by up to half: 0.25 to 0.5 s, then 0.5 to 1 s.
  expect(waits[0]).toBeLessThanOrEqual(0.5);
  expect(waits[1]).toBeGreaterThanOrEqual(0.5);
});

test('retries immediately when the connection drops within a body', async () => {
  const half: Answer = (_, response) => {
    response.writeHead(200, { ...html, 'content-length': '1000' }).write('<p>half');
    setImmediate(() => response.socket?.resetAndDestroy());
  };
  const chunkedHalf: Answer = (_, response) => {
    response.writeHead(200, html).write('<p>half');
    setImmediate(() => response.socket?.destroy());
  };
  web.server.on('/half', after(1, half));
  web.server.on('/chunked-half', after(1, chunkedHalf));
  const texts = await Promise.all([web.read('/half'), web.read('/chunked-half')]);
  expect(texts.join()).toMatch(/fine[\s\S]*fine/);
});

test('limits attempts to AGENT_WEB_FETCH_RETRIES and returns the last status as untrusted', async () => {
  const never = await openWeb({ AGENT_WEB_FETCH_RETRIES: '0' });
  never.server.on('/ill', status(500));
  expect(await never.fetch('/ill')).toEqual({
    ok: false,
    error: expect.stringMatching(/returned status 500\. It says: not now/),
    hint: expect.any(String),
    isUntrusted: true,
  });
  expect(never.server.count('/ill')).toBe(1);
  web.server.on('/ill', status(500));
  expect(await web.fetch('/ill')).toMatchObject({ ok: false });
  expect(web.server.count('/ill')).toBe(3);
});

test('does not retry 404 and returns a hint', async () => {
  expect(await web.fetch('/gone')).toMatchObject({ ok: false, error: expect.stringContaining('status 404'), hint: expect.stringContaining('does not exist') });
  expect(web.server.count('/gone')).toBe(1);
});

test('requests and decodes gzip, deflate and br', async () => {
  const packs = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [encoding, pack] of Object.entries(packs)) {
    web.server.on(`/${encoding}`, (_, response) => void response.writeHead(200, { ...html, 'content-encoding': encoding }).end(pack('<p>packed</p>')));
    expect(await web.read(`/${encoding}`)).toContain('packed');
  }
  expect(web.server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'gzip, deflate, br' });
});

test('reports a body that does not match its content encoding', async () => {
  web.server.on('/lie', (_, response) => void response.writeHead(200, { ...html, 'content-encoding': 'br' }).end('plain'));
  expect(await web.fetch('/lie')).toMatchObject({ ok: false, error: expect.stringContaining('could not be read') });
});

test('returns the received part of a truncated compressed page and marks it as incomplete', async () => {
  const packs = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const text = Array.from({ length: 4000 }, (_, index) => `<p>line ${(index * 7919) % 4001}</p>`).join('');
  for (const [encoding, pack] of Object.entries(packs)) {
    const packed = pack(text);
    const answer =
      (body: Uint8Array): Answer =>
      (_, response) =>
        void response.writeHead(200, { ...html, 'content-encoding': encoding }).end(body);
    web.server.on(`/part-${encoding}`, answer(packed.subarray(0, packed.length / 2)));
    web.server.on(`/whole-${encoding}`, answer(packed));
    web.server.on(`/none-${encoding}`, answer(new Uint8Array()));
    const part = await web.read(`/part-${encoding}`);
    expect(part).toMatch(/Part: .*Note: The download broke off[\s\S]*line 3918/s);
    expect(part).not.toContain('Part: all');
    expect(await web.read(`/whole-${encoding}`)).not.toContain('connection ended');
    expect(await web.read(`/none-${encoding}`)).toContain('the page has no text');
  }
});

test('reads at most 2.5 MB of a large or endless body and notes the cut', async () => {
  web.server.on('/large', (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('large '.repeat(3_500_000)));
  let sent = 0;
  web.server.on('/endless', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const more = (): void => {
      while (!response.destroyed && response.write('endless '.repeat(4000))) sent++;
    };
    response.on('drain', more);
    more();
  });
  for (const path of ['/large', '/endless']) expect(await web.read(path)).toMatch(/of 2500000;[\s\S]*Note: The page is larger than 2.5 MB/);
  const before = sent;
  await expect.poll(() => web.server.connections()).toBe(0);
  expect(sent - before).toBeLessThan(200);
});

test('limits the decompressed size of a page', async () => {
  web.server.on('/bomb', (_, response) => void response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(200_000_000, 65)))); // prettier-ignore
  expect(await web.read('/bomb')).toContain('larger than 2.5 MB');
});

test('follows redirects and returns the final URL', async () => {
  for (const hop of [0, 1, 2, 3, 4, 5])
    web.server.on(`/hop${hop}`, (_, response) => void response.writeHead(302, { location: `hop${hop + 1}` }).end('elsewhere'));
  web.server.on('/hop6', ok);
  expect(await web.read('/hop0')).toContain(`URL: ${web.server.url}/hop6\n`);
  expect(await web.read('/hop6')).toContain('fine');
  expect(web.server.count('/hop6')).toBe(1);
});

test('stops a redirect loop after ten redirects', async () => {
  web.server.on('/circle', (_, response) => void response.writeHead(301, { location: '/circle' }).end());
  expect(await web.fetch('/circle')).toMatchObject({ ok: false, error: expect.stringContaining('more than 10 times') });
  expect(web.server.count('/circle')).toBe(11);
});

test('aborts a call and its connection with the turn', async () => {
  web.server.on('/silent', () => undefined);
  const stop = new AbortController();
  const running = web.fetch('/silent', {}, { signal: stop.signal });
  await expect.poll(() => web.server.count('/silent')).toBe(1);
  stop.abort();
  expect(await running).toMatchObject({ ok: false, error: expect.stringContaining('abort') });
  await expect.poll(() => web.server.connections()).toBe(0);
});

test('closes the connection after reading a page', async () => {
  web.server.on('/fine', ok);
  await web.read('/fine');
  await web.fetch('/gone');
  await expect.poll(() => web.server.connections()).toBe(0);
});
