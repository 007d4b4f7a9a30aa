// Tests connecting an account from the service through the control plane and a provider, and the use of its tokens.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startOAuthServer, type OAuthServer } from '../../helpers/oauth-server.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { runTool } from '../../helpers/run-tool.ts';
import { agree, handOffIn, rowsModule } from '../control-plane/plane-connect/connect-kit.ts';

let oauth: OAuthServer;
let plane: Plane;
let ada: AddedMember;
let bob: AddedMember;
let service: Harness;
let other: Harness | undefined;

beforeAll(async () => {
  oauth = await startOAuthServer();
  plane = await startPlane({ modules: { 'connect-rows': rowsModule([oauth.row('bookshop'), oauth.row('library', { revoke: undefined as never })]) } });
  const owner = await addMember(plane, { email: 'owner@example.org', role: 'owner' });
  ada = await addMember(plane, { email: 'ada@example.org', role: 'member' });
  bob = await addMember(plane, { email: 'bob@example.org', role: 'member', org: 'Engines' });
  const body = { clientId: oauth.client.id, clientSecret: oauth.client.secret };
  for (const id of ['bookshop', 'library']) await plane.call('PUT', `/api/connectors/${id}`, { cookie: owner.cookie, body });
});
afterAll(async () => {
  await plane.close();
  await oauth.close();
});
beforeEach(async () => {
  oauth.lifetime = 3_600;
  oauth.next.length = 0;
  oauth.api = () => undefined;
  service = await start();
});
afterEach(async () => {
  await other?.close({ keepFiles: true });
  other = undefined;
  await service.close();
});

const object = (properties: Record<string, unknown>): object => ({ type: 'object', properties, additionalProperties: false });

async function start(token = ada.token, home?: string, workspace?: string): Promise<Harness> {
  const rows = {
    manifest: { name: 'rows', requires: ['tools'] },
    register(registry: any) {
      for (const id of ['bookshop', 'library']) {
        const tools = [{ name: 'order', description: 'Orders.', method: 'POST', path: '/orders', input: object({ book: { type: 'string' } }) }];
        registry.add('integration_provider', { id, title: id, kind: 'shop', origins: [`${oauth.origin}/api`], tools });
      }
    },
  };
  return startHarness({
    builtins: ['hub', 'integrations'],
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_KEY: token, AGENT_LICENSE_PUBLIC_KEY: await plane.kernel.resolve('planeKeys').publicKey() },
    modules: { rows: rows as never },
    ...(home === undefined ? {} : { home, listen: false }),
    ...(workspace === undefined ? {} : { workspace }),
  });
}

/** Follows the browser flow: from the service page through control plane and provider to the final request. */
async function connect(provider = 'bookshop', mode = 'read_write'): Promise<Response> {
  const { connectUrl } = (await service.call('GET', `/api/integrations/${provider}/begin?mode=${mode}`)).body;
  const asked = new URL(connectUrl);
  expect(asked.origin + asked.pathname).toBe(`${plane.url}/connect/${provider}`);
  const [state, redirectUri] = [asked.searchParams.get('state') ?? '', asked.searchParams.get('redirect_uri') ?? ''];
  const { back } = await agree(plane, ada.cookie, { provider, state, mode, redirectUri });
  const { to, body } = handOffIn((await plane.call('GET', back, { cookie: ada.cookie })).body);
  const headers = { origin: plane.url, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const preflight = await fetch(to, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, plane.url]);
  return fetch(to, { method: 'POST', headers: { origin: plane.url, 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
const row = async (id = 'bookshop', at = service): Promise<any> => (await at.call('GET', '/api/integrations')).body.providers.find((one: any) => one.id === id);
const tokenOf = (at: Harness, provider = 'bookshop'): Promise<string> => at.kernel.resolve('providerTokens').token(provider);
const soon = async (): Promise<void> => {
  oauth.lifetime = 60;
  expect((await connect()).status).toBe(200);
  oauth.lifetime = 3_600;
};

test('connects an account and restricts a read-only account to reading tools', async () => {
  const reply = await connect();
  expect([reply.status, await reply.json()]).toEqual([200, { ok: true, provider: 'bookshop' }]);
  expect(await row()).toMatchObject({
    status: 'connected',
    accounts: [{ accountId: 'ada-1', email: 'ada@example.org', name: 'Ada', mode: 'read_write', scopes: ['read', 'write'] }],
  });
  expect(await runTool(service.kernel, 'bookshop_order', { book: 'x' })).toMatchObject({ ok: true, output: expect.stringContaining('/api/orders') });
  expect((await connect('library', 'read_only')).status).toBe(200);
  const before = oauth.seen.length;
  expect(await runTool(service.kernel, 'library_order', { book: 'x' })).toMatchObject({ ok: false, error: expect.stringContaining('connected read-only') });
  expect(await runTool(service.kernel, 'library_request', { method: 'DELETE', path: '/orders/1' })).toMatchObject({ ok: false });
  expect(oauth.seen).toHaveLength(before);
  expect(await runTool(service.kernel, 'library_read', { path: '/orders' })).toMatchObject({ ok: true });
  const file = await readFile(join(service.home, 'integrations.json'), 'utf8');
  expect(file).not.toMatch(/access-|refresh-/);
});

test('keeps an account healthy when another process renewed the token during a call', async () => {
  expect((await connect()).status).toBe(200);
  other = await start(ada.token, service.home, service.workspace);
  let refuse: (status: number) => void = () => undefined;
  const refusal = new Promise<number>((resolve) => (refuse = resolve));
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  oauth.api = (path) => (path === '/api/slow' ? (isAsked(), refusal) : undefined);
  const call = runTool(service.kernel, 'bookshop_read', { path: '/slow' });
  await asked;
  const past = new Date(Date.now() - 1_000).toISOString();
  await service.kernel.resolve('connectionStore').update<any[]>('providers', 'bookshop', (all) => all?.map((one) => ({ ...one, expiresAt: past })));
  const renewed = await tokenOf(other);
  refuse(401);
  expect(await call).toMatchObject({ ok: false });
  expect(await row()).toMatchObject({ status: 'connected', accounts: [{ healthy: true }] });
  expect(await tokenOf(service)).toBe(renewed);
  expect(await runTool(service.kernel, 'bookshop_read', { path: '/slow' })).toMatchObject({ ok: false });
  expect(await row()).toMatchObject({ status: 'unhealthy', accounts: [{ healthy: false }] });
});

test('rejects the tokens of a person for a member of another organisation', async () => {
  await soon();
  other = await start(bob.token, service.home, service.workspace);
  const before = oauth.refreshes;
  await expect(tokenOf(other)).rejects.toMatchObject({ code: 'INTEGRATIONS_ERR_NEEDS_SIGN_IN' });
  expect(oauth.refreshes).toBe(before);
});

test('accepts a hand-off once, and only from the control plane', async () => {
  const { state } = (await service.call('GET', '/api/integrations/bookshop/begin')).body;
  const body = JSON.stringify({ state, provider: 'bookshop', bundle: { accountId: 'ada', accessToken: 'access-of-ada' } });
  const send = async (origin: string): Promise<number> =>
    (await fetch(`${service.url}/api/integrations/oauth/handoff`, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body })).status;
  expect([await send('https://evil.example'), await send(plane.url), await send(plane.url)]).toEqual([403, 200, 403]);
});
