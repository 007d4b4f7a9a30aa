// Tests accounts at a scripted provider, connected through a scripted hosted site.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';
import { runTool } from '../../../helpers/run-tool.ts';
import { createSigner } from '../../plugins/licensing/license-kit.ts';

const signer = createSigner();

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

interface ScriptedServer {
  readonly origin: string;
  readonly seen: Seen[];
  answer: (seen: Seen) => { status?: number; headers?: Record<string, string>; body: unknown };
  close(): Promise<void>;
}

async function startServer(port = 0): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const { url, close } = await startLocalServer((request, response) => {
    void text(request).then((body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', authorization: request.headers.authorization, body };
      seen.push(one);
      const { status = 200, headers = {}, body: reply } = scripted.answer(one);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
  }, port);
  const scripted: ScriptedServer = { origin: url, seen, answer: () => ({ body: { fine: true } }), close };
  return scripted;
}

let harness: Harness;
let provider: ScriptedServer;
let hub: ScriptedServer;
let services: any;

async function start(home?: string): Promise<void> {
  const rows = {
    manifest: { name: 'rows', requires: ['tools', 'providerTokens'] },
    register(registry: any) {
      services = registry.services;
      registry.add('integration_provider', {
        id: 'bookshop',
        title: 'Bookshop',
        kind: 'shop',
        origins: [`${provider.origin}/api`],
        tools: [
          {
            name: 'find_book',
            description: 'Finds a book.',
            method: 'GET',
            path: '/books/{shelf}',
            input: object({ shelf: { type: 'string' }, q: { type: 'string' } }),
          },
          { name: 'order', description: 'Orders.', method: 'POST', path: '/orders', place: { book: 'item.id' }, input: object({ book: { type: 'string' } }) },
        ],
      });
    },
  };
  harness = await startHarness({
    ...(home === undefined ? {} : { home }),
    builtins: ['hub', 'integrations'],
    environment: { AGENT_HUB_SITE_URL: `${hub.origin}/site/`, AGENT_LICENSE_KEY: signer.token(), AGENT_LICENSE_PUBLIC_KEY: signer.pem },
    modules: { rows: rows as never },
  });
}

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties, additionalProperties: false });

beforeEach(async () => {
  [provider, hub] = await Promise.all([startServer(), startServer()]);
  await start();
});

/** The reply of the control plane when the provider no longer accepts a token. */
const spent = { error: { code: 'invalid_grant', message: 'Connect the account again.' } };
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const begin = async (mode = 'read_write'): Promise<string> => (await harness.call('GET', `/api/integrations/bookshop/begin?mode=${mode}`)).body.state;

/** Posts the tokens as the hosted site does, without the token of this server. */
async function handOff(state: string, bundle: Record<string, unknown> = {}, name = 'bookshop'): Promise<{ status: number; body: any }> {
  const reply = await fetch(`${harness.url}/api/integrations/oauth/handoff`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: hub.origin },
    body: JSON.stringify({
      state,
      provider: name,
      bundle: { accountId: 'ada', accessToken: 'first-token', refreshToken: 'again', expiresAt: inAnHour(), ...bundle },
    }),
  });
  return { status: reply.status, body: await reply.json() };
}
const connect = async (bundle: Record<string, unknown> = {}): Promise<void> => {
  expect((await handOff(await begin(), bundle)).status).toBe(200);
};
const row = async (): Promise<any> => (await harness.call('GET', '/api/integrations')).body.providers.find((one: any) => one.id === 'bookshop');

const run = (name: string, args: Record<string, unknown>): Promise<any> => runTool(harness.kernel, name, args);

test('signs in through the hosted site and stores no token in plain text', async () => {
  const { body } = await harness.call('GET', '/api/integrations/bookshop/begin?mode=read_only');
  const url = new URL(body.connectUrl);
  expect(url.origin + url.pathname).toBe(`${hub.origin}/site/connect/bookshop`);
  expect(Object.fromEntries(url.searchParams)).toEqual({ state: body.state, mode: 'read_only', redirect_uri: `${harness.url}/api/integrations/oauth/handoff` });
  expect(body.state).toMatch(/^[0-9a-f]{32}$/);
  expect(await handOff(body.state, { email: 'ada@example.org', metadata: { name: 'Ada' } })).toEqual({ status: 200, body: { ok: true, provider: 'bookshop' } });
  expect(await row()).toMatchObject({
    status: 'connected',
    accounts: [{ accountId: 'ada', email: 'ada@example.org', name: 'Ada', mode: 'read_only', healthy: true, reachable: true }],
  });
  const file = await readFile(join(harness.home, 'integrations.json'), 'utf8');
  for (const secret of ['first-token', 'again"']) expect(file).not.toContain(secret);
  expect(JSON.stringify(await row())).not.toContain('token');
});

test('rejects a handoff with an unknown state, a used one, or one of another provider', async () => {
  expect(await handOff('0'.repeat(32))).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  const state = await begin();
  expect((await handOff(state, {}, 'github')).status).toBe(403);
  expect((await handOff(state)).status).toBe(403);
  expect(await harness.call('GET', '/api/integrations/nobody/begin')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect((await row()).accounts).toEqual([]);
});

test('lists all nine providers and offers no tools before an account is connected', async () => {
  const { providers } = (await harness.call('GET', '/api/integrations')).body;
  expect(
    providers
      .map((one: any) => one.id)
      .filter((id: string) => id !== 'bookshop')
      .sort(),
  ).toEqual(['accounting', 'github', 'google', 'google-cloud', 'linear', 'microsoft', 'notion', 'slack', 'youtube'].sort());
  expect(services.tools.list().map((tool: any) => tool.family)).not.toContain('bookshop');
  await connect();
  expect(
    services.tools
      .list()
      .filter((tool: any) => tool.family === 'bookshop')
      .map((tool: any) => [tool.name, tool.effects]),
  ).toEqual(
    expect.arrayContaining([
      ['bookshop_find_book', ['read', 'network']],
      ['bookshop_order', ['external']],
      ['bookshop_read', ['read', 'network']],
      ['bookshop_request', ['external']],
    ]),
  );
});

test('the accounting app uses its own path and the requested mode', async () => {
  for (const mode of ['read_write', 'read_only']) {
    const { status, body } = await harness.call('GET', `/api/integrations/accounting/begin?mode=${mode}`);
    const address = new URL(body.connectUrl);
    expect([status, address.pathname, address.searchParams.get('mode'), address.searchParams.get('state')]).toEqual([
      200,
      '/site/connect/accounting',
      mode,
      body.state,
    ]);
    expect(body.state).toMatch(/^[0-9a-f]{32}$/);
  }
  expect((await harness.call('GET', '/api/integrations/accounting/begin?mode=all')).body.error.code).toBe('invalid_request');
  expect((await harness.call('DELETE', '/api/integrations/accounting?revoke=0')).status).toBeLessThan(500);
});

test('tools call the provider with the token and mark its reply as external content', async () => {
  await connect();
  provider.answer = () => ({ body: { title: 'Moby Dick' } });
  expect(await run('bookshop_find_book', { shelf: 'a/../b', q: 'whale & sea' })).toMatchObject({
    ok: true,
    isUntrusted: true,
    output: expect.stringContaining('Moby Dick'),
  });
  expect(provider.seen.at(-1)).toMatchObject({ method: 'GET', url: '/api/books/a%2F..%2Fb?q=whale+%26+sea', authorization: 'Bearer first-token' });
  expect((await run('bookshop_order', { book: '42' })).ok).toBe(true);
  expect(JSON.parse(provider.seen.at(-1)?.body ?? '')).toEqual({ item: { id: '42' } });
});

test('a read-only account changes nothing, whatever its token allows', async () => {
  const { body } = await harness.call('GET', '/api/integrations/bookshop/begin?mode=read_only');
  await handOff(body.state);
  for (const [name, args] of [
    ['bookshop_order', { book: '42' }],
    ['bookshop_request', { method: 'DELETE', path: '/orders/1' }],
  ] as const) {
    expect(await run(name, args)).toMatchObject({
      ok: false,
      error: 'The account ada at Bookshop is connected read-only.',
      hint: expect.stringContaining('reconnect'),
    });
  }
  expect(provider.seen).toEqual([]);
  expect(await run('bookshop_find_book', { shelf: 'a' })).toMatchObject({ ok: true });
  expect(await run('bookshop_read', { path: '/books' })).toMatchObject({ ok: true });
  await handOff(await begin(), { accountId: 'bea' });
  expect(await run('bookshop_order', { book: '42' })).toMatchObject({ ok: false, hint: expect.stringContaining('accountId bea') });
  expect(await run('bookshop_order', { book: '42', accountId: 'bea' })).toMatchObject({ ok: true });
});

test('sends requests only to the provider, whatever their path is', async () => {
  await connect();
  const elsewhere = [
    'https://evil.example/',
    `${hub.origin}/x`,
    '/../../secret',
    `${provider.origin}/apix`,
    `http://me:pw@${provider.origin.slice(7)}/api/x`,
    '/%2e%2e/x',
  ];
  for (const path of elsewhere) expect(await run('bookshop_read', { path }), path).toMatchObject({ ok: false });
  expect([provider.seen, hub.seen]).toEqual([[], []]);
  await run('bookshop_read', { path: '//evil.example/x' });
  expect(provider.seen.map(({ url }) => url)).toEqual(['/api//evil.example/x']);
  provider.answer = () => ({ status: 302, headers: { location: `${hub.origin}/steal` }, body: '' });
  expect(await run('bookshop_read', { path: '/moved' })).toMatchObject({ ok: false });
  expect(hub.seen).toEqual([]);
  expect((await run('bookshop_read', { path: `${provider.origin}/api/list` })).ok).toBe(false);
  expect(provider.seen.at(-1)?.url).toBe('/api/list');
});

test('refreshes an expiring token once for concurrent calls and stores the new one', async () => {
  await connect({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
  hub.answer = () => ({ body: { accessToken: 'second-token', refreshToken: 'and-again', expiresAt: inAnHour() } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => services.providerTokens.token('bookshop')));
  expect(answers).toEqual(Array(5).fill('second-token'));
  expect(hub.seen).toMatchObject([
    {
      method: 'POST',
      url: '/site/api/connect/bookshop/refresh',
      authorization: expect.stringMatching(/^Bearer eyJ/),
      body: JSON.stringify({ refreshToken: 'again' }),
    },
  ]);
  const { home } = harness;
  await harness.close({ keepFiles: true });
  await start(home);
  expect(await services.providerTokens.token('bookshop')).toBe('second-token');
  expect(services.tools.find('bookshop_read')).toBeDefined();
  expect(hub.seen).toHaveLength(1);
});

test('a failed refresh marks the account as unhealthy and requests a new sign-in', async () => {
  await connect({ expiresAt: new Date(Date.now() - 1_000).toISOString() });
  hub.answer = () => ({ status: 400, body: spent });
  expect(await run('bookshop_read', { path: '/x' })).toMatchObject({ ok: false, error: expect.stringContaining('connect the account again') });
  await expect(services.providerTokens.token('bookshop')).rejects.toMatchObject({ code: 'INTEGRATIONS_ERR_NEEDS_SIGN_IN' });
  expect(await row()).toMatchObject({ status: 'unhealthy', accounts: [{ healthy: false }] });
});

test('an unreachable or broken hosted site leaves the account healthy', async () => {
  await connect({ expiresAt: new Date(Date.now() - 1_000).toISOString() });
  const address = new URL(hub.origin);
  const isKept = async (): Promise<void> => {
    await expect(services.providerTokens.token('bookshop')).rejects.toMatchObject({ code: 'INTEGRATIONS_ERR_UNREACHABLE', status: 503 });
    expect(await row()).toMatchObject({ status: 'unreachable', accounts: [{ healthy: true, reachable: false }] });
  };
  for (const status of [500, 502, 503, 429, 404, 400, 403, 409]) {
    hub.answer = () => ({ status, body: {} });
    await isKept();
  }
  for (const body of ['<html>Sign in to the guest network</html>', 'null', {}]) {
    hub.answer = () => ({ body });
    await isKept();
  }
  await hub.close();
  await isKept();
  expect(await run('bookshop_read', { path: '/x' })).toMatchObject({ ok: false, error: expect.stringContaining('could not be refreshed') });
  hub = await startServer(Number(address.port));
  hub.answer = () => ({ body: { accessToken: 'second-token', expiresAt: inAnHour() } });
  expect(await services.providerTokens.token('bookshop')).toBe('second-token');
  expect(await row()).toMatchObject({ status: 'connected', accounts: [{ healthy: true }] });
});

test('reports the state of each account, and the provider works while one account does', async () => {
  const old = new Date(Date.now() - 1_000).toISOString();
  await connect();
  await connect({ accountId: 'bob', accessToken: 'bobs-token', refreshToken: 'bobs-again', expiresAt: old });
  await connect({ accountId: 'cy', accessToken: 'cys-token', refreshToken: 'cys-again', expiresAt: old });
  const states = async (): Promise<unknown> => {
    const { status, accounts } = await row();
    return [status, ...accounts.map(({ accountId, healthy, reachable }: any) => `${accountId} ${healthy} ${reachable}`)];
  };
  hub.answer = ({ body }) => (body.includes('bobs-again') ? { status: 503, body: {} } : { status: 400, body: spent });
  for (const accountId of ['bob', 'cy']) await expect(services.providerTokens.token('bookshop', accountId)).rejects.toThrow();
  expect(await states()).toEqual(['connected', 'ada true true', 'bob true false', 'cy false true']);
  expect(await run('bookshop_read', { path: '/x' })).toMatchObject({ ok: true });
  provider.answer = () => ({ status: 401, body: {} });
  await run('bookshop_read', { path: '/x' });
  expect(await states()).toEqual(['unhealthy', 'ada false true', 'bob true false', 'cy false true']);
  await harness.call('DELETE', '/api/integrations/bookshop?accountId=ada');
  await harness.call('DELETE', '/api/integrations/bookshop?accountId=cy');
  expect(await states()).toEqual(['unreachable', 'bob true false']);
  await harness.call('DELETE', '/api/integrations/bookshop');
  await connect({ accountId: 'bob' });
  expect(await states()).toEqual(['connected', 'bob true true']);
});

test('returns provider errors without the token, also errors with status 200', async () => {
  await connect();
  provider.answer = ({ authorization }) => ({ status: 401, body: { error: `bad ${authorization}` } });
  const refused = await run('bookshop_read', { path: '/x' });
  expect(refused).toMatchObject({ ok: false, isUntrusted: true });
  expect(refused.error).not.toContain('first-token');
  expect((await row()).accounts[0].healthy).toBe(false);
  provider.answer = () => ({ body: { ok: false, error: 'channel_not_found' } });
  expect(await run('bookshop_read', { path: '/x' })).toMatchObject({ ok: false, error: 'Bookshop refused: channel_not_found' });
});

test('disconnects and revokes one of two accounts, and removes the tools with the last one', async () => {
  await connect();
  await connect({ accountId: 'bob', accessToken: 'bobs-token', refreshToken: 'bobs-again' });
  expect(await services.providerTokens.token('bookshop', 'bob')).toBe('bobs-token');
  hub.answer = () => ({ body: { revoked: true } });
  expect(await harness.call('DELETE', '/api/integrations/bookshop?revoke=1&accountId=bob')).toMatchObject({ status: 200, body: { ok: true, revoked: true } });
  expect(hub.seen.at(-1)).toMatchObject({
    url: '/site/api/connect/bookshop/revoke',
    body: JSON.stringify({ accessToken: 'bobs-token', refreshToken: 'bobs-again' }),
  });
  expect((await row()).accounts).toHaveLength(1);
  hub.answer = () => ({ status: 500, body: {} });
  expect((await harness.call('DELETE', '/api/integrations/bookshop?revoke=1')).body).toEqual({ ok: true, revoked: false });
  expect(services.tools.find('bookshop_read')).toBeUndefined();
  expect((await harness.call('DELETE', '/api/integrations/bookshop')).status).toBe(404);
});

test('returns 503 for a sign-in without the hub plugin', async () => {
  await harness.close();
  harness = await startHarness({ builtins: ['integrations'] });
  expect(await harness.call('GET', '/api/integrations/github/begin')).toMatchObject({ status: 503, body: { error: { code: 'disabled' } } });
});
