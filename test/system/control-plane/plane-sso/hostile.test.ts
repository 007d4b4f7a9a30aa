// Tests single sign-on with faulty or malicious identity providers and callbacks from other browsers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';
import { createBrowser, type Browser, type Page } from './browser.ts';
import { startProvider, type ScriptedProvider } from '../../../helpers/scripted-provider.ts';

let plane: Plane;
let provider: ScriptedProvider;
let ann: AddedMember;
let subject: Record<string, unknown>;
let orgPath: string;

beforeAll(async () => {
  plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '100000' } });
  provider = await startProvider(() => subject);
  ann = await addMember(plane, { email: 'ann@acme.example', role: 'owner' });
  orgPath = `/api/orgs/${ann.member.org.id}`;
  await setUp();
  await plane.kernel.resolve('database').query(`update sso_domain set proven_at = now() where domain = 'acme.example'`);
});
beforeEach(() => {
  Object.assign(provider, { skew: 0, outage: undefined, say: (said: unknown) => said });
});
afterAll(async () => {
  await plane.close();
  await provider.close();
});

async function setUp(about: Record<string, unknown> = {}): Promise<{ status: number; body: any }> {
  const body = { enabled: true, issuer: provider.issuer, clientId: 'hub', clientSecret: 'the secret', domains: ['acme.example'], ...about };
  return plane.call('PUT', `${orgPath}/sso`, { cookie: ann.cookie, body });
}

const beginUrl = (): string => `${plane.url}/api/sso/begin?org=${ann.member.org.id}`;
const isCallback = (url: string): boolean => url.includes('/api/sso/callback');
let people = 0;

/** Signs a new person of the organisation in. */
async function come(browser: Browser = createBrowser(), claims: Record<string, unknown> = {}): Promise<Page> {
  const n = people++;
  subject = { sub: `subject ${n}`, email: `person${n}@acme.example`, email_verified: true, ...claims };
  return browser.open(beginUrl(), { stop: (url) => url === `${plane.url}/` });
}

const counts = async (): Promise<unknown> =>
  (
    await plane.kernel
      .resolve('database')
      .query('select (select count(*) from person) as people, (select count(*) from session) as sessions, (select count(*) from sso_identity) as identities')
  )[0];

async function refuses(work: () => Promise<Page>, status: number, code: string): Promise<Page> {
  const before = await counts();
  const page = await work();
  expect({ status: page.status, code: (JSON.parse(page.text) as { error: { code: string } }).error.code }).toEqual({ status, code });
  expect(await counts()).toEqual(before);
  expect(page.text).not.toContain('of the inside');
  return page;
}

test('signs in a person with a valid token', async () => {
  expect((await come()).url).toBe(`${plane.url}/`);
});

test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
  ['a nonce of another sign-in', (claims) => ({ ...claims, nonce: 'another' })],
  ['no nonce', ({ nonce: _, ...claims }) => claims],
  ['another audience', (claims) => ({ ...claims, aud: 'another' })],
  ['another issuer', (claims) => ({ ...claims, iss: 'https://accounts.example' })],
  ['an expiry in the past', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 })],
  ['no subject', ({ sub: _, ...claims }) => claims],
  ['several audiences without an authorized party', (claims) => ({ ...claims, aud: ['hub', 'another'] })],
])('rejects a token with %s', async (_, change) => {
  provider.say = ({ claims, kid }) => ({ claims: change(claims), kid });
  await refuses(() => come(), 403, 'provider_refused');
});

test('rejects a token with an unknown key and accepts rotated keys', async () => {
  provider.say = ({ claims }) => ({ claims, kid: 'unknown' });
  await refuses(() => come(), 403, 'provider_refused');
  provider.say = (said) => said;
  await provider.rotate();
  expect((await come()).url).toBe(`${plane.url}/`);
  const browser = createBrowser();
  subject = { sub: 'turning', email: 'turning@acme.example', email_verified: true };
  const { url } = await browser.open(beginUrl(), { stop: isCallback });
  await provider.rotate();
  expect((await browser.open(url, { stop: (to) => to === `${plane.url}/` })).url).toBe(`${plane.url}/`);
});

test('tolerates a clock skew of 30 seconds but not of an hour', async () => {
  provider.skew = 30;
  expect((await come()).url).toBe(`${plane.url}/`);
  provider.skew = -3_600;
  await refuses(() => come(), 403, 'provider_refused');
});

test('accepts a state once, in the browser that began, and before it expires', async () => {
  const [browser, other] = [createBrowser(), createBrowser()];
  subject = { sub: 'twice', email: 'twice@acme.example', email_verified: true };
  const { url } = await browser.open(beginUrl(), { stop: isCallback });
  // A callback in another browser is rejected and invalidates the state.
  const page = await refuses(() => other.open(url), 403, 'state_invalid');
  expect(page.text).toContain('started in another browser');
  await refuses(() => browser.open(url), 403, 'state_invalid');

  const again = await browser.open(beginUrl(), { stop: isCallback });
  expect((await browser.open(again.url, { stop: (to) => to === `${plane.url}/` })).url).toBe(`${plane.url}/`);
  await refuses(() => browser.open(again.url), 403, 'state_invalid');

  const late = await browser.open(beginUrl(), { stop: isCallback });
  await plane.kernel.resolve('database').query(`update sso_state set ends_at = now() - interval '1 second'`);
  await refuses(() => browser.open(late.url), 403, 'state_invalid');
  await refuses(() => browser.open(`${plane.url}/api/sso/callback?code=x&state=made-up`), 403, 'state_invalid');
  await refuses(() => browser.open(`${plane.url}/api/sso/callback`), 403, 'state_invalid');
});

test('rejects a code of another sign-in and a declined consent', async () => {
  const browser = createBrowser();
  const { url } = await browser.open(beginUrl(), { stop: isCallback });
  const changed = new URL(url);
  changed.searchParams.set('code', 'somebody-elses');
  await refuses(() => browser.open(changed.href), 403, 'provider_refused');
  const again = await browser.open(beginUrl(), { stop: isCallback });
  const denied = new URL(again.url);
  denied.searchParams.delete('code');
  denied.searchParams.set('error', 'access_denied');
  await refuses(() => browser.open(denied.href), 403, 'provider_refused');
});

test('rejects an unverified address, an unproven domain and the address of an existing account', async () => {
  await refuses(() => come(undefined, { email_verified: false }), 403, 'not_invited');
  await refuses(() => come(undefined, { email_verified: 'true' }), 403, 'not_invited');
  await refuses(() => come(undefined, { email: undefined }), 403, 'not_invited');
  await refuses(() => come(undefined, { email: 'eve@elsewhere.example' }), 403, 'not_invited');
  await refuses(() => come(undefined, { email: 'eve@acme.example@elsewhere.example' }), 403, 'not_invited');
  await refuses(() => come(undefined, { email: 'ann@acme.example' }), 409, 'link_needed');
});

test('returns 502 when the provider fails and changes nothing', async () => {
  provider.outage = 503;
  const before = await plane.kernel.resolve('database').query('select count(*) from sso_state');
  const page = await refuses(() => come(), 502, 'provider_unreachable');
  expect(page.text).toContain('cannot be reached');
  expect(await plane.kernel.resolve('database').query('select count(*) from sso_state')).toEqual(before);
  provider.outage = undefined;
  const browser = createBrowser();
  subject = { sub: 'away', email: 'away@acme.example', email_verified: true };
  const { url } = await browser.open(beginUrl(), { stop: isCallback });
  provider.outage = 500;
  await refuses(() => browser.open(url), 502, 'provider_unreachable');
  provider.outage = undefined;
  expect((await come(browser)).url).toBe(`${plane.url}/`);
});

test('lets only owners change the settings, returns no secret and drops it for another client', async () => {
  const admin = await addMember(plane, { email: 'ben@acme.example', role: 'admin' });
  expect(await plane.call('PUT', `${orgPath}/sso`, { cookie: admin.cookie, body: {} })).toMatchObject({ status: 403 });
  const read = await plane.call('GET', `${orgPath}/sso`, { cookie: admin.cookie });
  expect(read.body).toMatchObject({
    enabled: true,
    issuer: provider.issuer,
    clientId: 'hub',
    hasSecret: true,
    domains: [{ domain: 'acme.example', proven: true }],
  });
  expect(JSON.stringify(read.body)).not.toContain('the secret');
  expect(await plane.call('GET', '/api/enterprise/sso/config', { token: admin.token })).toMatchObject({
    status: 200,
    body: { enabled: true, issuer: provider.issuer, clientId: 'hub' },
  });
  const rows = await plane.kernel.resolve('database').query('select sealed_secret from sso_config');
  expect(JSON.stringify(rows)).not.toContain('the secret');
  for (const issuer of ['http://idp.example', 'ftp://idp.example', 'https://u:p@idp.example', 'https://idp.example/?x=1', 'nothing']) {
    expect(await setUp({ issuer })).toMatchObject({ status: 400, body: { error: { code: 'issuer_invalid' } } });
  }
  for (const domain of ['localhost', 'a b.example', '*.example', 'x@acme.example']) {
    expect(await setUp({ domains: [domain] })).toMatchObject({ status: 400, body: { error: { code: 'domain_invalid' } } });
  }
  expect((await setUp({ clientSecret: undefined })).body.hasSecret).toBe(true);
  expect((await setUp({ clientSecret: undefined, clientId: 'another' })).body.hasSecret).toBe(false);
  expect((await setUp()).body.domains).toEqual([{ domain: 'acme.example', proven: true }]);
});

test('never contacts internal addresses for the provider of a tenant', async () => {
  const eve = await addMember(plane, { email: 'eve@tenant.example', role: 'owner', org: 'Tenant' });
  const path = `/api/orgs/${eve.member.org.id}/sso`;
  const port = new URL(provider.issuer).port;
  const put = (issuer: string): ReturnType<Plane['call']> =>
    plane.call('PUT', path, { cookie: eve.cookie, body: { enabled: true, issuer, clientId: 'x', domains: [] } });
  for (const issuer of [provider.issuer, `http://localhost:${port}`, `http://127.1:${port}`, 'http://2130706433', 'http://idp.example.org'])
    expect(await put(issuer)).toMatchObject({ status: 400, body: { error: { code: 'issuer_invalid' } } });
  const inside = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '10.0.0.1', '192.168.1.1'];
  for (const host of [...inside, '169.254.169.254', '100.64.0.1', '[fd00:ec2::254]', '[fe80::1]']) {
    // Open and closed ports return the same error.
    for (const at of [port, '9']) {
      expect((await put(`https://${host}:${at}`)).status).toBe(200);
      const tried = await plane.call('POST', `${path}/test`, { cookie: eve.cookie, body: {} });
      expect([host, tried.status, tried.body.error?.code]).toEqual([host, 403, 'address_refused']);
    }
  }
  expect(await plane.call('POST', `${path}/test`, { token: eve.token, body: {} })).toMatchObject({ status: 403, body: { error: { code: 'session_needed' } } });
  // An issuer stored before this check existed is not contacted either.
  await plane.kernel.resolve('database').query('update sso_config set issuer = $1 where org_id = $2', [provider.issuer, eve.member.org.id]);
  const stored = await plane.call('POST', `${path}/test`, { cookie: eve.cookie, body: {} });
  expect(stored.status).toBe(403);
  expect((await setUp({ enabled: false, issuer: 'https://169.254.169.254' })).status).toBe(200);
  expect(await plane.call('POST', `${orgPath}/sso/test`, { cookie: ann.cookie, body: {} })).toMatchObject({
    status: 403,
    body: { error: { code: 'address_refused' } },
  });
  await setUp();
});
