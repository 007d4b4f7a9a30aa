// Tests web_fetch on saved pages of real generators: article phrases are kept and page chrome is removed.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { phrasesIn, readSaved, savedPages } from './pages/saved.ts';
import { openWeb, readWhole } from './web-world.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plain = useAll(() => openWeb());
const article = useAll(() => openWeb({ AGENT_WEB_READABILITY: '1' }));
beforeAll(async () => {
  for (const web of [plain, article])
    for (const [name, { type }] of Object.entries(savedPages))
      web.server.on(`/${name}`, (_, response) => void response.writeHead(200, { 'content-type': type }).end(readSaved(name)));
});

const names = Object.entries(savedPages);
const without = (all: readonly string[], some: readonly string[]): string[] => all.filter((one) => !some.includes(one));

test.each(names)('keeps every article phrase of the %s page with tags stripped', async (name, { article: phrases }) => {
  expect(without(phrases, phrasesIn(await readWhole(plain, `/${name}`), phrases))).toEqual([]);
});

test.each(names)('keeps the expected article phrases of the %s page and none of its page chrome', async (name, page) => {
  const { article: phrases, frame, missed = [] } = page;
  const text = await readWhole(article, `/${name}`);
  expect(without(phrases, phrasesIn(text, phrases))).toEqual(missed);
  expect(phrasesIn(text, frame)).toEqual([]);
});

test('reads real pages completely despite compression, an unknown charset, redirects, 429 and 500', async () => {
  const { server } = plain;
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const body = (name: string): Uint8Array => readSaved(name);
  server.on('/faulty/rustdoc', (_, response) => void response.writeHead(200, { ...html, 'content-encoding': 'br' }).end(brotliCompressSync(body('rustdoc'))));
  server.on('/faulty/underscore', (_, response) => {
    const packed = gzipSync(body('underscore'));
    response.writeHead(200, { ...html, 'content-encoding': 'gzip' });
    for (let at = 0; at < packed.length; at += 1000) response.write(packed.subarray(at, at + 1000));
    response.end();
  });
  server.on('/faulty/zlib-how', (_, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=klingon' }).end(body('zlib-how')));
  for (const [from, to] of [
    ['/faulty/sphinx', '/one'],
    ['/one', 'two'],
    ['/two', `${server.url}/three`],
  ] as const)
    // prettier-ignore
    server.on(from, (_, response) => void response.writeHead(302, { location: to }).end('<p>elsewhere</p>'));
  server.on('/three', (_, response) => void response.writeHead(200, html).end(body('sphinx')));
  server.on('/faulty/asciidoc', (_, response, count) =>
    count === 1 ? void response.writeHead(429, { ...html, 'retry-after': '1' }).end('<p>later</p>') : void response.writeHead(200, html).end(body('asciidoc')),
  );
  server.on('/faulty/node-api', (_, response, count) =>
    count === 1 ? void response.writeHead(500, html).end('<p>ill</p>') : void response.writeHead(200, html).end(body('node-api')),
  );
  const faulty = ['rustdoc', 'underscore', 'zlib-how', 'sphinx', 'asciidoc', 'node-api'];
  const read = await Promise.all(faulty.map((name) => readWhole(plain, `/faulty/${name}`)));
  for (const [index, name] of faulty.entries()) {
    const phrases = savedPages[name]?.article ?? [];
    expect(without(phrases, phrasesIn(read[index] ?? '', phrases)), name).toEqual([]);
  }
  expect(await plain.read('/faulty/sphinx')).toContain(`URL: ${server.url}/three\n`);
  expect([server.count('/faulty/asciidoc'), server.count('/faulty/node-api')]).toEqual([2, 2]);
});
