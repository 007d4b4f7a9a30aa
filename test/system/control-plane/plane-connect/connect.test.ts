// Tests connecting accounts through the control plane: pages, states, tokens, refresh, revocation, operator setup.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tampered } from '../../../helpers/tampered.ts';
import { startOAuthServer, type OAuthServer } from '../../../helpers/oauth-server.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';
import { connectProviders } from '../../../../builtins/control-plane/plane-connect/providers.ts';
import { providers as serviceProviders } from '../../../../builtins/connections/integrations/providers/all.ts';
import { runCli } from '../plane-licenses/plane-kit.ts';
import { addressOf, agree, handOffIn, open, rowsModule, sendForm, serviceAddress, serviceState } from './connect-kit.ts';

let oauth: OAuthServer;
let plane: Plane;
let owner: AddedMember;
let ada: AddedMember;
let bob: AddedMember;

beforeAll(async () => {
  oauth = await startOAuthServer();
  plane = await startPlane({
    modules: {
      'connect-rows': rowsModule([
        oauth.row('bookshop'),
        oauth.row('basic', { clientAuth: 'basic', tokenBody: 'json', hasPkce: false, revoke: undefined as never }),
        oauth.row('bare'),
      ]),
    },
  });
  owner = await addMember(plane, { email: 'owner@example.org', role: 'owner' });
  ada = await addMember(plane, { email: 'ada@example.org', role: 'member' });
  bob = await addMember(plane, { email: 'bob@example.org', role: 'owner', org: 'Engines' });
  for (const provider of ['bookshop', 'basic']) expect(await setUp(provider)).toMatchObject({ status: 200 });
});
afterAll(async () => {
  await plane.close();
  await oauth.close();
});
beforeEach(() => {
  oauth.lifetime = 3_600;
  oauth.next.length = 0;
});

const codeIn = (page: string): string | undefined => /<small>(\w+)<\/small>/.exec(page)?.[1];
const setUp = (provider: string, cookie = owner.cookie): ReturnType<Plane['call']> =>
  plane.call('PUT', `/api/connectors/${provider}`, { cookie, body: { clientId: oauth.client.id, clientSecret: oauth.client.secret } });
const refresh = (refreshToken: string, { token } = ada, provider = 'bookshop'): ReturnType<Plane['call']> =>
  plane.call('POST', `/api/connect/${provider}/refresh`, { token, body: { refreshToken } });
async function connect(provider = 'bookshop', mode = 'read_write'): Promise<any> {
  const { back } = await agree(plane, ada.cookie, { provider, mode });
  const { status, body } = await plane.call('GET', back, { cookie: ada.cookie });
  expect(status).toBe(200);
  return handOffIn(body);
}

test('shows the requested access without storing a state, and redirects a signed-out person to sign-in', async () => {
  const { status, body, headers } = await open(plane, ada.cookie, { mode: 'read_only' });
  expect(status).toBe(200);
  for (const word of ['Connect Place bookshop', 'ada@example.org, Acme', '127.0.0.1:3001', 'read</dd>']) expect(body).toContain(word);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
  expect(headers.get('cache-control')).toBe('no-store');
  const away = await plane.call('GET', addressOf());
  expect([away.status, away.headers.get('location')]).toEqual([302, `/sign-in?next=${encodeURIComponent(addressOf()).replaceAll('%20', '+')}`]);
  expect(await plane.kernel.resolve('database').query('select * from connect_state')).toEqual([]);
});

test('completes the flow with code and PKCE, and hands the tokens off by a page restricted to one address', async () => {
  const { authorizeUrl, back } = await agree(plane, ada.cookie);
  expect(Object.fromEntries(authorizeUrl.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: oauth.client.id,
    redirect_uri: `${plane.url}/connect/bookshop/callback`,
    scope: 'read write',
    code_challenge_method: 'S256',
  });
  expect(authorizeUrl.searchParams.get('state')).not.toContain(serviceState);
  const { status, body, headers } = await plane.call('GET', back, { cookie: ada.cookie });
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain(`connect-src ${serviceAddress};`);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const { to, body: handOff } = handOffIn(body);
  expect(to).toBe(serviceAddress);
  expect(handOff).toMatchObject({
    state: serviceState,
    provider: 'bookshop',
    bundle: {
      accountId: 'ada-1',
      email: 'ada@example.org',
      metadata: { name: 'Ada' },
      scopes: ['read', 'write'],
      accessToken: expect.stringMatching(/^access-/),
    },
  });
  expect(handOff.bundle.refreshToken).not.toContain('refresh-');
  const database = plane.kernel.resolve('database');
  expect(await database.query('select * from connect_state')).toEqual([]);
  const tables = await database.query<{ text: string }>("select coalesce(json_agg(c)::text, '') as text from connector c");
  expect(JSON.stringify(tables)).not.toContain(oauth.client.secret);
  expect(plane.logs.join('\n')).not.toMatch(/access-|refresh-/);
});

test('supports a provider with Basic authentication and JSON, without PKCE or revocation', async () => {
  const { body } = await connect('basic', 'read_only');
  expect(oauth.seen.findLast(({ path }) => path === '/token')).toMatchObject({
    authorization: expect.stringMatching(/^Basic /),
    fields: { grant_type: 'authorization_code' },
  });
  expect(body.bundle.scopes).toEqual(['read']);
  const revoked = await plane.call('POST', '/api/connect/basic/revoke', { token: ada.token, body: { refreshToken: body.bundle.refreshToken } });
  expect(revoked.body).toEqual({ revoked: false });
});

test('rejects a redirect that is not the local service, on the page and in the form', async () => {
  for (const redirectUri of [
    'https://evil.example/api/integrations/oauth/handoff',
    'http://127.0.0.1.evil.example:80/api/integrations/oauth/handoff',
    'http://127.0.0.1:3001/api/integrations/oauth/handoff?x=1',
    'http://127.0.0.1:3001/api/integrations/oauth/handoff/../x',
    'http://user@127.0.0.1:3001/api/integrations/oauth/handoff',
    'http://127.0.0.1:0/api/integrations/oauth/handoff',
    'https://127.0.0.1:3001/api/integrations/oauth/handoff',
    'javascript:alert(1)',
  ]) {
    expect([(await open(plane, ada.cookie, { redirectUri })).status, (await sendForm(plane, ada.cookie, { redirectUri })).status], redirectUri).toEqual([
      400, 400,
    ]);
  }
  const { body } = await open(plane, ada.cookie, { redirectUri: 'http://evil.example/' });
  expect(body).toContain('not a service on your own machine');
  expect(codeIn(body)).toBe('redirect_foreign');
});

test('accepts a state once, unmodified, from the person and provider it was issued for, within its lifetime', async () => {
  const { back } = await agree(plane, ada.cookie);
  const refusal = { status: 403, body: expect.stringContaining('Start again') };
  expect(await plane.call('GET', tampered(back, back.indexOf('state=') + 'state='.length), { cookie: ada.cookie })).toMatchObject(refusal);
  const { body: page } = await plane.call('GET', back, {});
  expect(codeIn(page)).toBe('state_invalid');
  expect(await plane.call('GET', back, { cookie: ada.cookie })).toMatchObject({ status: 200 });
  expect(await plane.call('GET', back, { cookie: ada.cookie })).toMatchObject(refusal);
  const second = await agree(plane, ada.cookie);
  expect(await plane.call('GET', second.back, { cookie: bob.cookie })).toMatchObject(refusal);
  expect(await plane.call('GET', second.back, { cookie: ada.cookie })).toMatchObject(refusal);
  const third = await agree(plane, ada.cookie);
  expect(await plane.call('GET', third.back.replace('bookshop', 'basic'), { cookie: ada.cookie })).toMatchObject(refusal);
  const late = await agree(plane, ada.cookie);
  await plane.kernel.resolve('database').query("update connect_state set made_at = now() - interval '11 minutes'");
  expect(await plane.call('GET', late.back, { cookie: ada.cookie })).toMatchObject(refusal);
  const families = oauth.families.length;
  expect(await plane.call('GET', late.back, { cookie: ada.cookie })).toMatchObject(refusal);
  expect(oauth.families).toHaveLength(families);
});

test('connects nothing after a declined consent or with the code of another person', async () => {
  const declined = await agree(plane, ada.cookie);
  const back = new URL(declined.back, plane.url);
  back.searchParams.delete('code');
  back.searchParams.set('error', 'access_denied');
  expect(await plane.call('GET', back.pathname + back.search, { cookie: ada.cookie })).toMatchObject({
    status: 403,
    body: expect.stringMatching(/access_denied.*declined/),
  });
  const again = await agree(plane, ada.cookie);
  const { body: noCode } = await plane.call('GET', again.back.replace(/code=[^&]+&/, ''), { cookie: ada.cookie });
  expect(codeIn(noCode)).toBe('declined');
  const [own, other] = [await agree(plane, ada.cookie), await agree(plane, bob.cookie)];
  const mixed = new URL(own.back, plane.url);
  mixed.searchParams.set('code', new URL(other.back, plane.url).searchParams.get('code') ?? '');
  // The code is bound to the PKCE verifier of the other flow.
  expect(await plane.call('GET', mixed.pathname + mixed.search, { cookie: ada.cookie })).toMatchObject({
    status: 400,
    body: expect.stringContaining('Connect the account again'),
  });
});

test('reports an unknown provider or one without a client, and rejects a cross-origin form', async () => {
  expect(await open(plane, ada.cookie, { provider: 'nobody' })).toMatchObject({ status: 404, body: expect.stringContaining('There is no provider') });
  expect(await open(plane, ada.cookie, { provider: 'bare' })).toMatchObject({ status: 409, body: expect.stringContaining('operator must register a client') });
  expect(await refresh('x', ada, 'bare')).toMatchObject({ status: 409, body: { error: { code: 'not_set_up' } } });
  const foreign = await fetch(`${plane.url}/connect/bookshop`, {
    method: 'POST',
    headers: { cookie: ada.cookie, origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ state: serviceState, redirect_uri: serviceAddress }).toString(),
  });
  expect(foreign.status).toBe(403);
  expect((await plane.call('GET', '/connect/bookshop?state=short&redirect_uri=x', { cookie: ada.cookie })).status).toBe(400);
});

test('accepts a refresh token only from its person and rotates it', async () => {
  const { bundle } = (await connect()).body;
  const first = await refresh(bundle.refreshToken);
  expect(first).toMatchObject({
    status: 200,
    body: { accessToken: expect.stringMatching(/^access-/), expiresAt: expect.any(String), scopes: ['read', 'write'] },
  });
  expect(first.body.accessToken).not.toBe(bundle.accessToken);
  for (const [stolen, who] of [
    [first.body.refreshToken, bob],
    [tampered(first.body.refreshToken), ada],
    ['nonsense', ada],
  ] as const)
    expect(await refresh(stolen, who)).toMatchObject({ status: 400, body: { error: { code: 'invalid_grant' } } });
  expect(await refresh(first.body.refreshToken)).toMatchObject({ status: 200 });
  // The provider revokes the token family when the old token is reused.
  expect(await refresh(bundle.refreshToken)).toMatchObject({ status: 400, body: { error: { code: 'invalid_grant' } } });
  expect(await plane.call('POST', '/api/connect/bookshop/refresh', { body: { refreshToken: 'x' } })).toMatchObject({ status: 401 });
});

test('returns 502 for a failing or malformed provider answer and keeps the token valid', async () => {
  const { bundle } = (await connect()).body;
  for (const [answer, code] of [
    [{ status: 500 }, 'provider_unreachable'],
    [{ status: 429 }, 'provider_unreachable'],
    [{ status: 200, body: {} }, 'provider_refused'],
    [{ status: 401, body: { error: 'invalid_client' } }, 'provider_refused'],
  ] as const) {
    oauth.next.push(answer);
    expect(await refresh(bundle.refreshToken)).toMatchObject({ status: 502, body: { error: { code } } });
  }
  expect(await refresh(bundle.refreshToken)).toMatchObject({ status: 200 });
});

test('revokes the tokens at the provider and returns the result', async () => {
  const { bundle } = (await connect()).body;
  const family = oauth.families.at(-1);
  const body = { refreshToken: bundle.refreshToken, accessToken: bundle.accessToken };
  expect(await plane.call('POST', '/api/connect/bookshop/revoke', { token: bob.token, body })).toMatchObject({ status: 400 });
  expect(family?.isEnded).toBe(false);
  expect(await plane.call('POST', '/api/connect/bookshop/revoke', { token: ada.token, body })).toMatchObject({ status: 200, body: { revoked: true } });
  expect(family?.isEnded).toBe(true);
});

test('lets only owners of the operating organisation set clients, and returns no secret', async () => {
  for (const { cookie } of [ada, bob]) expect(await setUp('bare', cookie)).toMatchObject({ status: 403 });
  expect((await setUp('bare', bob.cookie)).body.error.code).toBe('not_operator');
  expect(await setUp('nobody')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await plane.call('PUT', '/api/connectors/bare', { cookie: owner.cookie, body: { clientId: 'x' } })).toMatchObject({
    status: 400,
    body: { error: { code: 'wrong_use' } },
  });
  const seen = (await plane.call('GET', '/api/connectors', { cookie: ada.cookie })).body.connectors.find(({ id }: any) => id === 'bookshop');
  expect(seen).toEqual({ id: 'bookshop', title: 'Place bookshop', isSetUp: true, canRevoke: true, callbackUrl: `${plane.url}/connect/bookshop/callback` });
  const own = (await plane.call('GET', '/api/connectors', { cookie: owner.cookie })).body.connectors;
  expect(own.find(({ id }: any) => id === 'bookshop')).toMatchObject({ clientId: oauth.client.id });
  expect(JSON.stringify(own)).not.toContain(oauth.client.secret);
  expect(await setUp('bare')).toMatchObject({ status: 200 });
  expect(await plane.call('DELETE', '/api/connectors/bare', { cookie: owner.cookie, body: {} })).toMatchObject({ status: 200 });
  expect(await plane.call('DELETE', '/api/connectors/bare', { cookie: owner.cookie, body: {} })).toMatchObject({ status: 409 });
});

test('lists and sets clients on the command line, and rejects invalid arguments', async () => {
  expect((await runCli(plane, 'connector')).out).toMatch(/github +GitHub +not set up +http.*\/connect\/github\/callback\n/);
  expect((await runCli(plane, 'connector', '--provider', 'github', '--client-id', 'x')).err).toContain('PLANE_CONNECT_ERR_WRONG_USE');
  expect((await runCli(plane, 'connector', '--provider', 'bookshop', '--client-id', oauth.client.id)).out).toContain('can be connected');
  expect((await runCli(plane, 'connector', '--provider', 'nobody')).err).toContain('PLANE_CONNECT_ERR_NOT_FOUND');
  expect((await runCli(plane, 'connector', '--provider', 'github', '--remove')).err).toContain('PLANE_CONNECT_ERR_NOT_SET_UP');
});

test('completes a flow on another node and accepts a state once under concurrency', async () => {
  const modules = { 'connect-rows': rowsModule([oauth.row('bookshop')]) };
  const environment = { HUB_PUBLIC_URL: 'http://hub.test' };
  const first = await startPlane({ modules, environment });
  const second = await startPlane({ modules, environment, databaseUrl: first.databaseUrl });
  try {
    const boss = await addMember(first, { email: 'boss@example.org', role: 'owner' });
    const body = { clientId: oauth.client.id, clientSecret: oauth.client.secret };
    await first.call('PUT', '/api/connectors/bookshop', { cookie: boss.cookie, body });
    for (let round = 0; round < 5; round++) {
      const { back } = await agree(first, boss.cookie);
      const replies = await Promise.all([second, first, second].map((node) => node.call('GET', back, { cookie: boss.cookie })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
      const { bundle } = handOffIn(replies.find(({ status }) => status === 200)?.body).body;
      expect(await second.call('POST', '/api/connect/bookshop/refresh', { token: boss.token, body: { refreshToken: bundle.refreshToken } })).toMatchObject({
        status: 200,
      });
    }
  } finally {
    await second.close();
    await first.close();
  }
});

test('has an https row for each provider of the service', () => {
  expect(connectProviders.map(({ id }) => id).sort()).toEqual(serviceProviders.map(({ id }) => id).sort());
  for (const row of connectProviders) {
    for (const url of [row.authorizeUrl, row.tokenUrl, row.account.request?.url, row.revoke?.url])
      if (url !== undefined) expect(new URL(url).protocol).toBe('https:');
    expect(row.scopes.read_write).toEqual(
      expect.arrayContaining(
        row.id === 'google' || row.id === 'google-cloud' || row.id === 'youtube' || row.id === 'microsoft' ? [] : [...row.scopes.read_only],
      ),
    );
  }
});
