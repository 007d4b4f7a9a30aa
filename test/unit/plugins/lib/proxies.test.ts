// Tests proxies of outgoing requests, with a proxy on loopback: selection, sent headers and error messages.
import { afterEach, expect, test } from 'vitest';
import { fetchGuarded } from '#lib/guarded-fetch';
import { createGuardedAgents, isPublicAddress } from '#lib/net';
import { createOutgoingAgents } from '#lib/outgoing';
import { adoptProxies, proxyFor } from '#lib/proxies';
import { normalizeProxy } from '#lib/setting-texts';
import { fetchOutgoing, fetchComplete, textOfAnswer } from '#lib/complete-fetch';
import { createUpstream } from '../../../../builtins/control-plane/plane-inference/upstream.ts';
import { createGuardedFetch } from '../../../../builtins/connections/mcp/transport/guarded-fetch.ts';
import { requestEmbeddings } from '../../../../builtins/tools/memory/search/embed-request.ts';
import { createAgents } from '../../../../builtins/tools/web/public-address.ts';
import { requestPage } from '../../../../builtins/tools/web/request-page.ts';
import { createTransport } from '../../../../plugins/models/transport.ts';
import { startLoggingProxy, type LoggingProxy } from '../../../helpers/logging-proxy.ts';

let proxy: LoggingProxy;
const variables = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
afterEach(async () => {
  set(before);
  await proxy?.close();
});

function set(values: Readonly<Record<string, string | undefined>>): void {
  for (const name of variables) {
    const value = values[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
const isProxied = (url: string): boolean => proxyFor(new URL(url)) !== undefined;
const never = new AbortController().signal;

test.each<[variables: Record<string, string>, url: string, expected: string | undefined]>([
  [{ http_proxy: 'http://one' }, 'http://a.example/', 'http://one/'],
  [{ http_proxy: 'http://one' }, 'https://a.example/', undefined],
  [{ https_proxy: 'http://two' }, 'https://a.example/', 'http://two/'],
  [{ https_proxy: 'http://two' }, 'http://a.example/', undefined],
  [{ all_proxy: 'http://all' }, 'http://a.example/', 'http://all/'],
  [{ all_proxy: 'http://all', https_proxy: 'http://two' }, 'https://a.example/', 'http://two/'],
  [{ HTTP_PROXY: 'one.example:3128' }, 'http://a.example/', 'http://one.example:3128/'],
  [{ HTTP_PROXY: 'http://one', http_proxy: 'http://lower' }, 'http://a.example/', 'http://lower/'],
  [{ HTTPS_PROXY: 'http://two', NO_PROXY: 'a.example' }, 'https://a.example/', undefined],
  [{ http_proxy: '', HTTP_PROXY: ' ' }, 'http://a.example/', undefined],
  [{}, 'https://a.example/', undefined],
])('%j routes %s through %s', (variables, url, expected) => {
  set(variables);
  expect(proxyFor(new URL(url))?.url.href).toBe(expected);
});

test.each([
  ...['http://localhost/', 'http://LOCALHOST:1/', 'http://a.localhost/', 'http://127.0.0.1/', 'http://127.9.9.9/', 'http://127.1/', 'http://[::1]/'],
  ...['http://0.0.0.0/', 'http://[::ffff:127.0.0.1]/'],
])('%s never uses a proxy', (url) => {
  set({ all_proxy: 'http://all' });
  expect(isProxied(url)).toBe(false);
});

test.each([
  ['example.com', ['http://example.com/', 'http://a.example.com/', 'https://example.com:8443/'], ['http://badexample.com/', 'http://example.com.org/']],
  ['.example.com', ['http://a.example.com/', 'http://example.com/'], ['http://badexample.com/']],
  ['*.example.com', ['http://a.example.com/'], ['http://badexample.com/']],
  ['example.com:8080', ['http://example.com:8080/'], ['http://example.com/']],
  ['example.com:443', ['https://example.com/'], ['http://example.com/']],
  ['10.0.0.0/8', ['http://10.1.2.3/'], ['http://11.1.2.3/', 'http://a.example/']],
  ['192.168.1.7', ['http://192.168.1.7:81/'], ['http://192.168.1.70/']],
  ['fd00::/8', ['http://[fd00::1]/'], ['http://[2001:db8::1]/']],
  ['[2001:db8::1]', ['http://[2001:db8::1]/'], ['http://[2001:db8::2]/']],
  ['a.example, B.example c.example', ['http://a.example/', 'http://b.example/', 'http://c.example/'], ['http://d.example/']],
  ['*', ['http://anything.example/'], []],
  ['', [], ['http://anything.example/']],
])('NO_PROXY=%j', (list, direct, proxied) => {
  set({ all_proxy: 'http://all', no_proxy: list });
  expect(direct.filter(isProxied)).toEqual([]);
  expect(proxied.filter((url) => !isProxied(url))).toEqual([]);
});

test.each([
  ['proxy.example:3128', 'http://proxy.example:3128'],
  ['https://proxy.example', 'https://proxy.example'],
  ['http://me:secret@proxy.example:3128/path?x', 'http://me:secret@proxy.example:3128'],
  ['', ''],
])('the proxy %j is normalized to %j', (text, expected) => {
  expect(normalizeProxy(text)).toBe(expected);
});

test.each(['socks5://proxy.example', 'http://', 'proxy example'])('rejects %j as a proxy', (text) => {
  expect(() => normalizeProxy(text)).toThrow('must be the http or https address of a proxy');
});

const public1 = async (): Promise<{ address: string; family: number }[]> => [{ address: '203.0.113.1', family: 4 }];
const agents = (): ReturnType<typeof createAgents> => createAgents();

/** Every kind of outgoing request, to an address that only the proxy can reach. */
const requests: Readonly<Record<string, (base: string) => Promise<unknown>>> = {
  'model calls': async (base) => {
    const transport = createTransport('test/1');
    const outcome = await transport.post({ url: `${base}/v1/chat/completions`, headers: {}, body: {}, take: () => undefined }, never);
    transport.dispose();
    return outcome;
  },
  'whole requests': async (base) => textOfAnswer(await fetchComplete(`${base}/path`, {}), 1_000),
  'guarded requests': (base) => fetchGuarded(new URL(`${base}/path`), {}, { judge: () => undefined, find: public1, limit: 1_000 }),
  'web pages': async (base) => requestPage(new URL(`${base}/path`), { agents: agents(), mayBePrivate: () => true, headers: {} }, never),
  'the runtime’s fetch': async (base) => (await fetchOutgoing(`${base}/path`, { method: 'POST', body: 'x' })).json(),
  'MCP servers': async (base) => (await createGuardedFetch(new URL(base), { x: '1' }, public1)(`${base}/mcp`)).text(),
  embeddings: (base) => requestEmbeddings({ baseURL: base, model: 'm', input: [] }, never),
  'the upstream of the control plane': async (base) => {
    const upstream = createUpstream({ upstreamUrl: base, upstreamKey: 'k' }, 'test/1');
    const answer = await upstream.post({ path: '/chat/completions', contentType: 'application/json', body: Buffer.from('{}'), signal: never, idleMs: 10_000 });
    answer.resume();
    upstream.dispose();
  },
};

test.each(Object.keys(requests))('%s use the proxy', async (kind) => {
  proxy = await startLoggingProxy({ body: '{"data":[]}' });
  set({ http_proxy: proxy.url });
  await requests[kind]?.('http://site.invalid');
  expect(proxy.requests).toEqual([expect.stringMatching(/^(GET|POST) http:\/\/site\.invalid(:80)?\//)]);
});

test('https uses a tunnel with TLS to the host, and the connection is reused', async () => {
  proxy = await startLoggingProxy();
  set({ https_proxy: proxy.url.replace('//', '//me:secret@') });
  const outgoing = createOutgoingAgents({ agent: { keepAlive: true, ca: proxy.ca } });
  const url = new URL('https://secure.example/path');
  for (let count = 0; count < 2; count++)
    expect(await textOfAnswer(await fetchComplete(url.href, { agent: await outgoing.agentFor(url), headers: { authorization: 'Bearer k' } }), 100)).toBe(
      '{"ok":true}',
    );
  expect(proxy.requests).toEqual(['CONNECT secure.example:443', 'TLS GET /path', 'TLS GET /path']);
  expect(proxy.headers[0]).toMatchObject({ 'proxy-authorization': `Basic ${btoa('me:secret')}` });
  expect(proxy.headers[0]).not.toHaveProperty('authorization');
  outgoing.destroy();
});

test("an error names a proxy that rejects the tunnel and does not return its reply as the host's", async () => {
  proxy = await startLoggingProxy({ status: 407 });
  set({ https_proxy: proxy.url.replace('//', '//me:secret@') });
  const failed = fetchComplete('https://secure.example/', {});
  await expect(failed).rejects.toThrow(`the proxy ${proxy.url} (https_proxy) refused the connection with status 407. Add the user name and password`);
  await expect(failed).rejects.not.toThrow('secret');
});

test('an error names an unreachable proxy', async () => {
  proxy = await startLoggingProxy();
  set({ all_proxy: 'http://127.0.0.1:1' });
  for (const url of ['http://site.invalid/', 'https://site.invalid/'])
    await expect(fetchComplete(url, {})).rejects.toThrow('the proxy http://127.0.0.1:1 (all_proxy) could not be used: connect ECONNREFUSED');
});

test('a forbidden address is rejected before the proxy is contacted, and an unresolved public name is left to the proxy', async () => {
  proxy = await startLoggingProxy();
  set({ all_proxy: proxy.url });
  const judge = (address: string): Error | undefined => (isPublicAddress(address) ? undefined : new Error(`not ${address}`));
  const names: Readonly<Record<string, string>> = { 'inside.example': '10.0.0.1', 'outside.example': '93.184.215.14' };
  const find = async (name: string): Promise<{ address: string; family: number }[]> => {
    const address = names[name];
    if (address === undefined) throw Object.assign(new Error(`${name} not found`), { code: 'ENOTFOUND' });
    return [{ address, family: 4 }];
  };
  const ask = (url: string): Promise<unknown> => fetchGuarded(new URL(url), {}, { judge, find, limit: 1_000 });
  await expect(ask('http://inside.example/')).rejects.toThrow('not 10.0.0.1');
  await expect(ask('http://10.0.0.1/')).rejects.toThrow('not 10.0.0.1');
  await expect(ask('http://nas.lan/')).rejects.toThrow('nas.lan not found');
  expect(proxy.requests).toEqual([]);
  await ask('http://outside.example/');
  await ask('http://unknown.example/');
  expect(proxy.requests).toHaveLength(2);
  createGuardedAgents(judge, find).destroy();
});

test('an unusable proxy setting rejects the request, and a model call is not retried', async () => {
  proxy = await startLoggingProxy();
  set({ HTTP_PROXY: 'socks5://proxy.example' });
  const message =
    'HTTP_PROXY cannot be used: its value must be the http or https address of a proxy, such as http://proxy.example.com:3128. Correct HTTP_PROXY or remove it.';
  await expect(fetchComplete('http://site.invalid/', {})).rejects.toMatchObject({ code: 'KRN_ERR_SETTING_UNUSABLE', message });
  const transport = createTransport('test/1');
  expect(await transport.get({ url: 'http://site.invalid/v1/models', headers: {} }, never)).toEqual({
    ...{ ok: false, kind: 'refused', message, url: 'http://site.invalid/v1/models' },
  });
  transport.dispose();
});

test('proxies from a .env file apply to the process, with its environment taking precedence', () => {
  const environment: Record<string, string | undefined> = { HTTP_PROXY: 'http://own' };
  adoptProxies({ http_proxy: 'http://file', https_proxy: 'http://file', NO_PROXY: 'a.example', OTHER: 'x' }, environment);
  expect(environment).toEqual({ HTTP_PROXY: 'http://own', https_proxy: 'http://file', NO_PROXY: 'a.example' });
});
