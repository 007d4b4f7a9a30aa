import { expect, test } from 'vitest';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { createPageCache } from '../../../../builtins/tools/web/page-cache.ts';
import { startFaultServer, type Answer, type FaultServer } from './fault-server.ts';
import { openWeb } from './web-world.ts';

async function searchWith(
  answer: Answer,
  environment: Record<string, string> = {},
): Promise<{ service: FaultServer; run: (args?: object) => Promise<ToolOutcome> }> {
  const service = await startFaultServer();
  service.on('/search', answer);
  const web = await openWeb({ AGENT_WEB_FETCH_ALLOWED_HOSTS: '', AGENT_WEB_FETCH_RETRIES: '0', AGENT_WEB_SEARCH_URL_TEMPLATE: `${service.url}/search?q={query}&format=json`, ...environment }); // prettier-ignore
  return { service, run: (args = {}) => web.world.run('web_search', { query: 'copper & kettles', ...args }) };
}
const json =
  (body: unknown): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const rows = Array.from({ length: 12 }, (_, index) => ({
  title: `Kettle ${index}`,
  url: `https://example.org/${index}`,
  content: `About <b>kettle</b> ${index}\nand more`,
}));

test('calls the service in AGENT_WEB_SEARCH_URL_TEMPLATE, also on this machine', async () => {
  const { service, run } = await searchWith(json({ results: rows }));
  const outcome = await run();
  expect(outcome).toMatchObject({ ok: true, isUntrusted: true });
  expect(outcome.ok && outcome.output).toContain('1. Kettle 0\n   https://example.org/0\n   About kettle 0 and more\n\n2. Kettle 1');
  expect(outcome.ok && outcome.output).toMatch(/8\. Kettle 7/);
  expect(outcome.ok && outcome.output).not.toContain('Kettle 8');
  expect(service.requests[0]?.path).toBe('/search?q=copper%20%26%20kettles&format=json');
  expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('reads other JSON formats and applies the limit', async () => {
  const { run } = await searchWith(json({ web: { results: rows.map(({ title, url, content }) => ({ name: title, link: url, description: content })) } }));
  const outcome = await run({ limit: 2 });
  expect(outcome.ok && outcome.output.match(/^\d+\. /gm)).toEqual(['1. ', '2. ']);
});

test('sends AGENT_WEB_SEARCH_API_KEY to the service but not to a redirect target', async () => {
  const other = await startFaultServer();
  other.on('/elsewhere', json({ results: rows }));
  const redirect: Answer = (_, response) => void response.writeHead(302, { location: `${other.url}/elsewhere` }).end();
  const environment = { AGENT_WEB_SEARCH_API_KEY: 'key-of-mine', AGENT_WEB_FETCH_ALLOWED_HOSTS: other.host };
  const { service, run } = await searchWith(redirect, environment);
  expect(await run()).toMatchObject({ ok: true });
  expect(service.requests[0]?.headers.authorization).toBe('Bearer key-of-mine');
  expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('rejects a redirect of the service to a private address', async () => {
  const { run } = await searchWith((_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
  expect(await run()).toMatchObject({ ok: false, error: expect.stringContaining('not a public address') });
});

test('reads titles, addresses and excerpts from an HTML results page without advertisements', async () => {
  const result = (title: string, address: string): string =>
    `<div class="result results_links"><h2 class="result__title"><a rel="nofollow" class="result__a" href="${address}">${title}</a></h2><a class="result__snippet" href="${address}">An <b>excerpt</b> of ${title} &amp; more</a></div>`;
  const page = `<html><body><script>nothing()</script><div id="links" class="results">${result('Advert', 'https://duckduckgo.com/y.js?ad_domain=x')}${result('First', '//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1&amp;rut=abc')}${result('Second', 'https://example.org/second')}${result('Bad', 'javascript:alert(1)')}</div></body></html>`;
  const { run } = await searchWith((_, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end(page));
  const outcome = await run();
  expect(outcome).toMatchObject({ ok: true, isUntrusted: true });
  expect(outcome.ok && outcome.output.split('\n').slice(2)).toEqual([
    ...['1. First', '   https://example.org/a?b=1', '   An excerpt of First & more', '', '2. Second', '   https://example.org/second'],
    '   An excerpt of Second & more',
  ]);
});

test('reports why a search failed, with a hint', async () => {
  const hint = expect.stringContaining('AGENT_WEB_SEARCH_URL_TEMPLATE');
  const answers: [Answer, string][] = [
    [(_, response) => void response.writeHead(500).end(), 'status 500'],
    [json({ nothing: 1 }), 'without a list of results'],
    [(_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('oops'), 'did not return JSON'],
    [(_, response) => void response.writeHead(202, { 'content-type': 'text/html' }).end('<p>Are you a robot?</p>'), 'may block bots'],
  ];
  for (const [answer, error] of answers) {
    const { run } = await searchWith(answer);
    expect(await run(), error).toMatchObject({ ok: false, error: expect.stringContaining(error), hint });
  }
});

test('treats an empty result list as success', async () => {
  const { run } = await searchWith(json({ results: [] }));
  expect(await run()).toMatchObject({ ok: true, output: expect.stringContaining('No results for') });
});

test('evicts cached pages after five minutes, and the oldest ones beyond the size limit', () => {
  let now = 0;
  const cache = createPageCache(() => now);
  const page = (chars: number) => ({ url: 'u', status: 200, type: '', title: '', text: 'x'.repeat(chars), isCut: false, notes: [] });
  cache.keep(['a', 'a2'], page(4_000_000));
  cache.keep(['b'], page(4_000_000));
  expect([cache.find('a'), cache.find('a2'), cache.find('b')].every((kept) => kept !== undefined)).toBe(true);
  cache.keep(['c'], page(4_000_000));
  expect([cache.find('a'), cache.find('a2'), cache.find('b')?.text.length]).toEqual([undefined, undefined, 4_000_000]);
  cache.keep(['d'], page(11_000_000));
  expect(cache.find('d')).toBeUndefined();
  now = 5 * 60_000;
  expect(cache.find('c')).toBeUndefined();
});
