// Tests single sign-on with a real provider: joining, account linking and removal.
import { expect, onTestFinished, test, vi } from 'vitest';
import { identityClient, startIdentityProvider } from '../../../helpers/identity-provider.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';
import { createBrowser, type Browser, type Page } from './browser.ts';

async function startProvider(redirectUri: string): Promise<string> {
  for (const kind of ['warn', 'info', 'log'] as const) vi.spyOn(console, kind).mockImplementation(() => undefined);
  const { issuer, close } = await startIdentityProvider(redirectUri);
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await close();
  });
  return issuer;
}

interface World {
  readonly plane: Plane;
  readonly ann: AddedMember;
  readonly orgPath: string;
  come(login: string, browser?: Browser, more?: string): Promise<{ readonly page: Page; readonly cookie: string }>;
  prove(orgId: string, domain: string): Promise<string>;
}

async function start(): Promise<World> {
  const plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '100000' } });
  onTestFinished(() => plane.close());
  const issuer = await startProvider(`${plane.url}/api/sso/callback`);
  const ann = await addMember(plane, { email: 'ann@acme.example', role: 'owner' });
  const orgPath = `/api/orgs/${ann.member.org.id}`;
  const body = { enabled: true, issuer, ...identityClient, domains: ['acme.example'] };
  expect(await plane.call('PUT', `${orgPath}/sso`, { cookie: ann.cookie, body })).toMatchObject({ status: 200, body: { domains: [{ proven: false }] } });
  return {
    plane,
    ann,
    orgPath,
    async come(login, browser = createBrowser(), more = '') {
      const page = await browser.open(`${plane.url}/api/sso/begin?org=${ann.member.org.id}${more}`, { login, stop: (url) => url === `${plane.url}/` });
      return { page, cookie: browser.cookiesOf(plane.url) };
    },
    async prove(orgId, domain) {
      let said = '';
      await plane.kernel
        .resolve('commands')
        .runCli(
          ['prove-domain', '--org', orgId, '--domain', domain],
          { out: () => undefined, err: (text) => void (said += text), async *lines() {}, isTerminal: false },
          new AbortController().signal,
        );
      return said;
    },
  };
}

test('lets people of a proven domain join, with sessions bound to the organisation', async () => {
  const { plane, ann, orgPath, come, prove } = await start();
  const early = await come('ben');
  expect(early.page).toMatchObject({ status: 403 });
  expect(early.page.text).toContain('Ask an admin');
  expect(await prove(ann.member.org.id, 'other.example')).toContain('PLANE_SSO_ERR_DOMAIN_UNKNOWN');
  expect(await prove(ann.member.org.id, 'ACME.example')).toBe('');

  const { page, cookie } = await come('ben');
  expect(page.url).toBe(`${plane.url}/`);
  const me = await plane.call('GET', '/api/account/me', { cookie });
  expect(me.body).toMatchObject({ person: { email: 'ben@acme.example' }, organisation: { name: 'Acme', role: 'member' } });
  const browser = createBrowser();
  await browser.open(`${plane.url}/api/sso/begin?email=Ben@Acme.Example`, { login: 'ben', stop: (url) => url === `${plane.url}/` });
  expect((await plane.call('GET', '/api/account/me', { cookie: browser.cookiesOf(plane.url) })).body.person).toEqual(me.body.person);
  const unknown = await createBrowser().open(`${plane.url}/api/sso/begin?email=ben@unknown.example`);
  expect(unknown.status).toBe(404);
  expect((JSON.parse(unknown.text) as { error: object }).error).toMatchObject({ code: 'not_set_up' });

  const elsewhere = await addMember(plane, { email: 'ben@acme.example', role: 'owner', org: 'Elsewhere' });
  const bound = { status: 403, body: { error: { code: 'session_bound' } } };
  expect(await plane.call('POST', `/api/orgs/${elsewhere.member.org.id}/switch`, { cookie, body: {} })).toMatchObject(bound);
  expect(await plane.call('POST', '/api/orgs', { cookie, body: { name: 'Mine' } })).toMatchObject(bound);
  expect(await plane.call('GET', '/api/account/sessions', { cookie })).toMatchObject(bound);
  expect(await plane.call('POST', '/api/account/password', { cookie, body: { current: 'x', password: 'another password' } })).toMatchObject(bound);
  expect((await plane.call('GET', '/api/account/me', { cookie })).body.organisations).toMatchObject([{ name: 'Acme' }]);
  expect((await plane.call('GET', '/api/orgs', { cookie })).body.organisations).toMatchObject([{ name: 'Acme' }]);

  expect(await plane.call('DELETE', `${orgPath}/members/${me.body.person.id}`, { cookie: ann.cookie })).toMatchObject({ status: 200 });
  expect(await plane.call('GET', '/api/account/me', { cookie })).toMatchObject({ status: 401 });
  expect((await come('ben')).page.status).toBe(403);
  expect((await plane.call('GET', '/api/account/me', { cookie: elsewhere.cookie })).status).toBe(200);
}, 30_000);

const password = 'the password of somebody';

async function connect(
  plane: Plane,
  browser: Browser,
  orgId: string,
  login: string,
  given = password,
): Promise<{ readonly status: number; readonly page?: Page }> {
  const begun = await plane.call('POST', '/api/sso/links', {
    cookie: browser.cookiesOf(plane.url),
    body: { orgId, password: given },
    headers: { origin: plane.url },
  });
  if (begun.status !== 200) return { status: begun.status };
  browser.setCookie(plane.url, begun.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
  return { status: 200, page: await browser.open(begun.body.url, { login, stop: (url) => url.startsWith(`${plane.url}/#`) }) };
}

/** Sets a password for a member and returns a browser in which the member is signed in. */
async function withPassword(plane: Plane, { member: { person }, cookie }: AddedMember): Promise<Browser> {
  const reset = await plane.run('reset-password', '--email', person.email);
  const token = /[?&]token=([\w-]+)/.exec(reset.said)?.[1] ?? '';
  expect((await plane.call('POST', '/api/account/reset', { body: { token, password } })).status).toBe(200);
  expect((await plane.call('GET', '/api/account/me', { cookie })).status).toBe(401);
  const { headers } = await plane.call('POST', '/api/account/sign-in', { body: { email: person.email, password } });
  const browser = createBrowser();
  browser.setCookie(plane.url, headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
  return browser;
}

test('links an account by its password, signs in through the link, and unlinks it', async () => {
  const { plane, ann, orgPath, come, prove } = await start();
  const { id: orgId } = ann.member.org;
  await prove(orgId, 'acme.example');
  expect((await come('ann')).page).toMatchObject({ status: 409, text: expect.stringContaining('link_needed') });
  const browser = await withPassword(plane, ann);
  const own = { cookie: browser.cookiesOf(plane.url), headers: { origin: plane.url } };
  const links = async (): Promise<any> => (await plane.call('GET', '/api/sso/links', own)).body.links;
  expect(await links()).toMatchObject([{ orgId, orgName: 'Acme', connected: false }]);
  const { page } = await connect(plane, browser, orgId, 'ann');
  expect(page?.url).toBe(`${plane.url}/#/account`);
  expect(await links()).toMatchObject([{ connected: true }]);
  expect((await plane.call('GET', '/api/account/sessions', { cookie: browser.cookiesOf(plane.url) })).status).toBe(200);
  const { cookie } = await come('ann');
  expect((await plane.call('GET', '/api/account/me', { cookie })).body).toMatchObject({ person: ann.member.person, organisation: { role: 'owner' } });
  for (const [method, path, body] of [
    ['GET', ''],
    ['DELETE', `/${orgId}`],
    ['POST', '', { orgId, password }],
  ] as const) {
    expect(await plane.call(method, `/api/sso/links${path}`, { cookie, headers: { origin: plane.url }, ...(body ? { body } : {}) })).toMatchObject({
      status: 403,
      body: { error: { code: 'session_bound' } },
    });
  }

  const carl = await withPassword(plane, await addMember(plane, { email: 'carl@acme.example', role: 'member' }));
  expect((await connect(plane, carl, orgId, 'ann')).page).toMatchObject({ status: 409, text: expect.stringContaining('link_taken') });
  expect((await plane.call('GET', '/api/account/me', { cookie: carl.cookiesOf(plane.url) })).body.person.email).toBe('carl@acme.example');

  expect(await plane.call('DELETE', `/api/sso/links/${orgId}`, own)).toMatchObject({ status: 200 });
  expect((await plane.call('GET', '/api/account/me', { cookie })).status).toBe(401);
  expect((await come('ann')).page.status).toBe(409);
  expect(await plane.call('DELETE', `/api/sso/links/${orgId}`, own)).toMatchObject({ status: 404, body: { error: { code: 'not_linked' } } });
  const kinds = await plane.kernel.resolve('database').query<{ kind: string }>("select kind from audit_event where kind like 'sso_%' order by 1");
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sso_connected', 'sso_parted']));
  expect((await connect(plane, browser, orgId, 'ann')).page?.url).toBe(`${plane.url}/#/account`);
  const again = (await come('ann')).cookie;
  expect((await plane.call('GET', '/api/account/me', { cookie: again })).status).toBe(200);

  const { body: now } = await plane.call('GET', `${orgPath}/sso`, own);
  const { issuer, clientId } = now;
  const off = { enabled: false, issuer, clientId, domains: ['acme.example'] };
  expect(await plane.call('PUT', `${orgPath}/sso`, { ...own, body: off })).toMatchObject({ status: 200 });
  expect(await plane.call('GET', '/api/account/me', { cookie: again })).toMatchObject({ status: 401 });
  expect(await plane.call('GET', '/api/account/me', own)).toMatchObject({ status: 200 });
  expect((await come('ann')).page.status).toBe(404);
}, 30_000);

test('rejects linking by a wrong password, another origin, another organisation or another browser', async () => {
  const { plane, ann, come, prove } = await start();
  const { id: orgId } = ann.member.org;
  await prove(orgId, 'acme.example');
  const browser = await withPassword(plane, ann);
  const linked = async (): Promise<unknown[]> => plane.kernel.resolve('database').query('select 1 from sso_identity');
  expect((await connect(plane, browser, orgId, 'ben', 'a guess at it')).status).toBe(403);
  const foreign = { cookie: browser.cookiesOf(plane.url), body: { orgId, password }, headers: { origin: 'https://evil.example' } };
  expect((await plane.call('POST', '/api/sso/links', foreign)).status).toBeGreaterThanOrEqual(400);
  expect((await come('ann', browser, '&link=1')).page.status).toBe(400);
  expect(await linked()).toEqual([]);
  const eve = await addMember(plane, { email: 'eve@eve.example', role: 'owner', org: 'Eve' });
  expect((await connect(plane, browser, eve.member.org.id, 'ann')).status).toBe(404);
  const mallory = await withPassword(plane, await addMember(plane, { email: 'mallory@acme.example', role: 'member' }));
  const begun = await plane.call('POST', '/api/sso/links', {
    ...{ cookie: mallory.cookiesOf(plane.url), body: { orgId, password }, headers: { origin: plane.url } },
  });
  const lured = await withPassword(plane, { ...ann, cookie: 'none' });
  expect((await lured.open(begun.body.url, { login: 'ann' })).text).toContain('state_invalid');
  const { headers, body } = await plane.call('POST', '/api/sso/links', {
    ...{ cookie: mallory.cookiesOf(plane.url), body: { orgId, password }, headers: { origin: plane.url } },
  });
  lured.setCookie(plane.url, headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
  expect((await lured.open(body.url, { login: 'ann' })).text).toContain('state_invalid');
  expect(await linked()).toEqual([]);
}, 30_000);

test('proves a domain for one organisation and ignores it without the entitlement', async () => {
  const { plane, ann, come, prove } = await start();
  const eve = await addMember(plane, { email: 'eve@eve.example', role: 'owner', org: 'Eve' });
  const body = { enabled: true, issuer: 'https://idp.eve.example', clientId: 'x', domains: ['acme.example'] };
  expect(await plane.call('PUT', `/api/orgs/${eve.member.org.id}/sso`, { cookie: eve.cookie, body })).toMatchObject({ status: 200 });
  expect(await prove(ann.member.org.id, 'acme.example')).toBe('');
  expect(await prove(eve.member.org.id, 'acme.example')).toContain('PLANE_SSO_ERR_DOMAIN_TAKEN');
  expect(await prove(eve.member.org.id, 'nobody.example')).toContain('PLANE_SSO_ERR_DOMAIN_UNKNOWN');
  expect(await plane.kernel.resolve('database').query('select org_id from sso_domain where proven_at is not null')).toEqual([{ org_id: ann.member.org.id }]);
  await plane.kernel.resolve('database').query(`update organisation set tier = 'team'`);
  expect((await come('ben')).page.status).toBe(404);
});

test('tests a provider before use and ends its sessions when it is removed', async () => {
  const { plane, ann, orgPath, come, prove } = await start();
  const ask = (method: string, path = '', cookie = ann.cookie): ReturnType<Plane['call']> =>
    plane.call(method, `${orgPath}/sso${path}`, { cookie, headers: { origin: plane.url }, ...(method === 'POST' ? { body: {} } : {}) });
  const { issuer } = (await ask('GET')).body;
  expect(await ask('POST', '/test')).toMatchObject({ status: 200, body: { signInAt: issuer } });
  await prove(ann.member.org.id, 'acme.example');
  const { cookie } = await come('ben');
  expect((await plane.call('GET', '/api/account/me', { cookie })).body.person.email).toBe('ben@acme.example');
  const away = { enabled: false, issuer: 'http://127.0.0.1:9', clientId: 'hub', domains: [] };
  await plane.call('PUT', `${orgPath}/sso`, { cookie: ann.cookie, body: away });
  expect(await ask('POST', '/test')).toMatchObject({ status: 502, body: { error: { code: 'provider_unreachable' } } });
  const admin = await addMember(plane, { email: 'adm@acme.example', role: 'admin' });
  expect((await ask('DELETE', '', admin.cookie)).status).toBe(403);
  expect(await ask('DELETE')).toMatchObject({ status: 200, body: { enabled: false, issuer: '', clientId: '', hasSecret: false, domains: [] } });
  expect((await plane.call('GET', '/api/account/me', { cookie })).status).toBe(401);
  expect(await ask('POST', '/test')).toMatchObject({ status: 404 });
  expect((await ask('DELETE')).status).toBe(200);
  const kinds = await plane.kernel.resolve('database').query<{ kind: string }>("select kind from audit_event where kind = 'sso_removed'");
  expect(kinds.length).toBe(1);
});
