// Tests pages with a cookie token, and routes that require an entitlement.
import { expect, test } from 'vitest';
import type { Principal } from 'agent-harness/plugins/http';
import { cookieIn } from '../../../../plugins/http/credentials.ts';
import { openHttp, routes, type Answer, type Asked, type OpenHttp } from './open-http.ts';

let http: OpenHttp | undefined;

const ann: Principal = { kind: 'teammate', id: 'ann', role: 'member', entitlements: ['team.rbac'] };
const ben: Principal = { kind: 'teammate', id: 'ben', role: 'owner' };
const people: Readonly<Record<string, Principal>> = { ann, ben };

type Ask = (path: string, asked?: Asked & { readonly cookie?: string }) => Promise<Answer>;

async function open(environment: Record<string, string> = {}): Promise<Ask> {
  const list = [
    { key: 'GET /api/who', permission: 'things.read', handle: ({ principal }: { principal?: Principal }) => ({ id: principal?.id }) },
    { key: 'POST /api/things', permission: 'things.write', schema: { body: {} }, handle: () => ({ ok: true }) },
    { key: 'DELETE /api/things', permission: 'things.write', handle: () => ({ ok: true }) },
    { key: 'POST /api/form', permission: 'things.write', bodyKind: 'form', schema: { body: {} }, handle: () => ({ ok: true }) },
    { key: 'POST /api/bytes', permission: 'things.write', bodyKind: 'raw', handle: () => ({ ok: true }) },
    { key: 'GET /api/paid', permission: 'things.read', entitlement: 'team.rbac', handle: () => ({ ok: true }) },
    { key: 'GET /api/open', auth: 'open', handle: ({ principal }: { principal?: Principal }) => ({ id: principal?.id ?? 'nobody' }) },
  ] as const;
  const source = { name: 'people', cookie: 'session', identify: (token: string) => people[token], isSetUp: () => false };
  http = await openHttp(
    { people: { register: (registry: any) => registry.add('token_source', source) }, things: routes(...(list as never as Parameters<typeof routes>)) },
    { environment },
  );
  const { ask } = http;
  return (path, { cookie, headers, ...asked } = {}) =>
    ask(path, { token: false, ...asked, headers: { ...(cookie === undefined ? {} : { cookie }), ...headers } });
}

test('a cookie authenticates among other cookies, and only under the name of its source', async () => {
  const ask = await open();
  expect((await ask('/api/who', { cookie: 'session=ann' })).body).toEqual({ id: 'ann' });
  expect((await ask('/api/who', { cookie: 'theme=dark; session=ann; x=y' })).body).toEqual({ id: 'ann' });
  for (const cookie of ['other=ann', 'session', 'session=', 'Session=ann', 'xsession=ann', 'session="ann"', 'session=eve; session=ann']) {
    expect([cookie, (await ask('/api/who', { cookie })).status]).toEqual([cookie, 401]);
  }
  // An explicit token takes precedence over a cookie that the browser adds.
  expect((await ask('/api/who', { cookie: 'session=ann', headers: { authorization: 'Bearer ben' } })).body).toEqual({ id: 'ben' });
  expect((await ask('/api/who', { cookie: 'session=ann', headers: { authorization: 'Bearer eve' } })).status).toBe(401);
});

test('an unknown cookie does not count as a token attempt', async () => {
  const ask = await open({ AGENT_WEB_ATTEMPTS_PER_MINUTE: '3' });
  for (let n = 0; n < 10; n++) expect((await ask('/api/who', { cookie: 'session=stale' })).status).toBe(401);
  expect((await ask('/api/open', { cookie: 'session=stale' })).body).toEqual({ id: 'nobody' });
  for (let n = 0; n < 3; n++) expect((await ask('/api/who', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  expect((await ask('/api/who', { headers: { authorization: 'Bearer wrong' } })).status).toBe(429);
  expect((await ask('/api/who', { cookie: 'session=ann' })).status).toBe(200);
});

test('a cookie works only for pages of our own origin, even if CORS allows another', async () => {
  const ask = await open({ AGENT_WEB_CORS_ORIGINS: 'https://friend.example' });
  const own = `http://127.0.0.1:${http?.port}`;
  const asFriend = { cookie: 'session=ann', headers: { origin: 'https://friend.example' } };
  expect((await ask('/api/who', asFriend)).status).toBe(401);
  expect((await ask('/api/open', asFriend)).body).toEqual({ id: 'nobody' });
  expect((await ask('/api/things', { ...asFriend, method: 'POST', body: {} })).status).toBe(401);
  expect((await ask('/api/who', { ...asFriend, headers: { ...asFriend.headers, authorization: 'Bearer ann' } })).status).toBe(200);
  expect((await ask('/api/who', { cookie: 'session=ann', headers: { origin: 'https://evil.example' } })).body.error.code).toBe('origin_not_allowed');
  // The same machine under another host name is another origin.
  expect((await ask('/api/who', { cookie: 'session=ann', headers: { origin: `http://localhost:${http?.port}` } })).status).toBe(401);
  expect((await ask('/api/who', { cookie: 'session=ann', headers: { origin: own } })).status).toBe(200);
  expect((await ask('/api/things', { cookie: 'session=ann', method: 'POST', body: {} })).status).toBe(200);
  expect((await ask('/api/things', { cookie: 'session=ann', method: 'DELETE' })).status).toBe(200);
});

test('cross-origin form and binary requests that are authenticated by a cookie are rejected', async () => {
  const ask = await open();
  const own = `http://127.0.0.1:${http?.port}`;
  const kinds = [
    ['/api/form', 'application/x-www-form-urlencoded', 'a=1'],
    ['/api/bytes', 'text/plain', 'bytes'],
  ] as const;
  for (const [path, type, raw] of kinds) {
    const post = (headers: Record<string, string>): Promise<Answer> =>
      ask(path, { method: 'POST', raw, cookie: 'session=ann', headers: { 'content-type': type, ...headers } });
    expect((await post({})).status).toBe(401);
    expect((await post({ origin: 'null' })).status).toBe(403);
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ origin: own })).status).toBe(200);
    // Without a cookie, the token authenticates the request.
    expect((await ask(path, { method: 'POST', raw, headers: { 'content-type': type, authorization: 'Bearer ann' } })).status).toBe(200);
  }
});

test('a route with an entitlement requires both the permission and the entitlement', async () => {
  const ask = await open();
  expect((await ask('/api/paid', { cookie: 'session=ann' })).status).toBe(200);
  expect(await ask('/api/paid', { cookie: 'session=ben' })).toMatchObject({
    status: 403,
    body: { error: { code: 'entitlement_required', details: { entitlement: 'team.rbac' } } },
  });
  // The owner of this machine has no entitlement unless a source grants one.
  expect((await ask('/api/paid', { token: true })).body.error.code).toBe('entitlement_required');
  expect((await ask('/api/paid')).status).toBe(401);
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['a=1; b=2', '2'],
  ['b=2;b=3', '2'],
  [' b = 2 ', '2'],
  ['b', undefined],
  ['b==', '='],
  ['bb=1', undefined],
])('in the cookies %j, b is %j', (header, value) => {
  expect(cookieIn(header, 'b')).toBe(value);
});
