import { expect, test } from 'vitest';
import type { Answer } from './fault-server.ts';
import { openWeb } from './web-world.ts';

const gate: Answer = (_, response) =>
  void response.writeHead(403, { 'content-type': 'text/html' }).end('<title>Just a moment...</title><p>Verify you are human</p>');
const closedDoor: Answer = (_, response) => void response.writeHead(401, { 'content-type': 'text/html' }).end('<p>Members only</p>');

test('sends browser-like headers with languages', async () => {
  const web = await openWeb();
  await web.read('/docs');
  expect(web.server.requests[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Mozilla\/5\.0 .*Chrome/),
    'accept-language': 'en-US,en;q=0.9',
    accept: expect.stringMatching(/^text\/html,/),
  });
});

test('sends AGENT_WEB_FETCH_USER_AGENT and AGENT_WEB_FETCH_ACCEPT_LANGUAGE', async () => {
  const web = await openWeb({ AGENT_WEB_FETCH_USER_AGENT: 'reader/1', AGENT_WEB_FETCH_ACCEPT_LANGUAGE: 'de' });
  await web.read('/docs');
  expect(web.server.requests[0]?.headers).toMatchObject({ 'user-agent': 'reader/1', 'accept-language': 'de' });
});

test('retries a bot check once with AGENT_WEB_FETCH_ALT_USER_AGENT and a Referer', async () => {
  const web = await openWeb({ AGENT_WEB_FETCH_ALT_USER_AGENT: 'other/2' });
  web.server.on('/gate', (request, response, count) => {
    if (count === 1) gate(request, response, count);
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>come in</p>');
  });
  expect(await web.read('/gate')).toContain('come in');
  expect(web.server.requests[1]?.headers).toMatchObject({ 'user-agent': 'other/2', referer: 'https://www.google.com/', 'sec-fetch-site': 'cross-site' });
});

test('retries only once, only at a bot check, and not with AGENT_WEB_FETCH_403_RETRY=0', async () => {
  const web = await openWeb();
  web.server.on('/gate', gate);
  web.server.on('/members', closedDoor);
  expect(await web.fetch('/gate')).toMatchObject({ ok: false, error: expect.stringContaining('status 403'), isUntrusted: true });
  expect(await web.fetch('/members')).toMatchObject({ ok: false, error: expect.stringMatching(/status 401.*Members only/) });
  expect([web.server.count('/gate'), web.server.count('/members')]).toEqual([2, 1]);
  const never = await openWeb({ AGENT_WEB_FETCH_403_RETRY: '0' });
  never.server.on('/gate', gate);
  await never.fetch('/gate');
  expect(never.server.count('/gate')).toBe(1);
});

test('uses AGENT_WEB_FETCH_FALLBACK_URL_TEMPLATE after 403 and 401 and notes it in the answer', async () => {
  const reader = await openWeb();
  reader.server.on('/read', (request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(`read for you: ${request.url}`));
  const web = await openWeb();
  await web.world.kernel.control.setPreferences({ AGENT_WEB_FETCH_FALLBACK_URL_TEMPLATE: `${reader.server.url}/read?page={url}` });
  web.server.on('/members', closedDoor);
  expect(await web.fetch('/members?a=1&b=2')).toMatchObject({ ok: false });
  const both = await openWeb({
    AGENT_WEB_FETCH_ALLOWED_HOSTS: '127.0.0.1',
    AGENT_WEB_FETCH_FALLBACK_URL_TEMPLATE: `${reader.server.url}/read?page={url}`,
  });
  both.server.on('/members', closedDoor);
  const text = await both.read('/members?a=1&b=2');
  expect(text).toContain(`read for you: /read?page=${encodeURIComponent(`${both.server.url}/members?a=1&b=2`)}`);
  expect(text).toContain('The site refused (status 401); the page was read via');
});

test('reports an invalid fallback template and fails calls that need it', async () => {
  for (const template of ['https://example.org/', 'https://example.org/{url}/{url}', 'ftp://example.org/{url}']) {
    const web = await openWeb({ AGENT_WEB_FETCH_FALLBACK_URL_TEMPLATE: template });
    web.server.on('/members', closedDoor);
    expect(await web.fetch('/members')).toMatchObject({ ok: false, error: expect.stringContaining('AGENT_WEB_FETCH_FALLBACK_URL_TEMPLATE cannot be used') });
    const reported = [...web.world.events.map(({ payload }) => JSON.stringify(payload)), JSON.stringify(web.world.kernel.control.report())];
    expect(reported.join()).toContain('AGENT_WEB_FETCH_FALLBACK_URL_TEMPLATE');
  }
});

test('shows web_fetch by default but not web_search, and requires approval for neither', async () => {
  const web = await openWeb();
  const tools = web.world.kernel.resolve('tools');
  expect(tools.visible(web.world.chatId).specs.map(({ name }) => name)).toEqual(['web_fetch']);
  const calls = { web_fetch: { url: 'https://example.com/' }, web_search: { query: 'x' } };
  for (const [name, args] of Object.entries(calls)) {
    expect(tools.find(name)).toMatchObject({ family: 'web', effects: ['read', 'network'], replay: 'idempotent' });
    expect(await web.world.guard(web.world.toolCall(name, args))).toBeUndefined();
  }
  expect(tools.check('web_fetch', '{"url":"https://example.com","maxChars":100001}').ok).toBe(false);
});

test('discards cached pages when the plugin is reloaded', async () => {
  const web = await openWeb();
  await web.read('/docs');
  await web.read('/docs');
  expect(web.server.count('/docs')).toBe(1);
  await web.world.kernel.control.setDisabled(['web']);
  await web.world.kernel.control.setDisabled([]);
  await web.read('/docs');
  expect(web.server.count('/docs')).toBe(2);
});
