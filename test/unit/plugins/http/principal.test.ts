// Tests principals: the identity behind a request and its permissions.
import { expect, test } from 'vitest';
import type { Permission, Principal } from 'agent-harness/plugins/http';
import { leastRole, permits } from '../../../../plugins/lib/permits.ts';
import { openHttp, routes, type Answer, type OpenHttp } from './open-http.ts';

let http: OpenHttp | undefined;

const roles = ['viewer', 'member', 'admin', 'owner'] as const;
const permissions = ['things.read', 'things.write', 'things.manage', undefined] as const;

test('each role includes the permissions of the lower roles', () => {
  for (const [rank, role] of roles.entries()) expect(permissions.map((one) => permits({ role }, one))).toEqual(permissions.map((_, at) => at <= rank));
  expect(permissions.map(leastRole)).toEqual(roles);
});

test('areas limit every role, including the owner', () => {
  for (const role of roles) {
    expect([permits({ role, areas: ['things'] }, 'things.read'), permits({ role, areas: ['others'] }, 'things.read')]).toEqual([true, false]);
    expect(permits({ role, areas: ['things'] }, undefined)).toBe(false);
  }
});

test.each([[{}], [{ role: 'god' }], [{ role: 'constructor' }], [{ role: 'viewer', areas: [] }], [{ role: 7 }]])('%j grants nothing', (rights) => {
  for (const one of permissions) expect(permits(rights as never, one)).toBe(false);
});

test.each(['things', 'things.eat', '', '.', 'things.constructor'])("only an owner has the permission '%s'", (permission) => {
  expect([permits({ role: 'admin' }, permission as Permission), permits({ role: 'owner' }, permission as Permission)]).toEqual([false, true]);
});

const people: Record<string, Principal> = {
  viewer: { kind: 'guest', id: 'v', role: 'viewer' },
  member: { kind: 'teammate', id: 'm', name: 'Mo', role: 'member', areas: ['things'] },
  device: { kind: 'device', id: 'd', role: 'owner' },
};

async function open(): Promise<(path: string, who?: string) => Promise<Answer>> {
  const source = { name: 'people', identify: (token: string) => people[token], isSetUp: () => false };
  http = await openHttp({
    people: { register: (registry: any) => registry.add('token_source', source) },
    some: routes(
      { key: 'GET /api/who', permission: 'things.read', handle: ({ principal }) => principal },
      { key: 'GET /api/writing', permission: 'things.write', handle: () => ({ ok: true }) },
      { key: 'GET /api/undeclared', handle: () => ({ ok: true }) },
      { key: 'GET /api/open', auth: 'open', handle: ({ principal, isLocal }) => ({ id: principal?.id ?? null, isLocal }) },
      { key: 'GET /api/open-to-some', auth: 'open', permission: 'things.write', handle: ({ principal }) => ({ id: principal?.id ?? null }) },
    ),
  });
  const { ask } = http;
  return (path, who) => ask(path, who === undefined ? {} : { token: false, headers: who === '' ? {} : { authorization: `Bearer ${who}` } });
}

test('the web token identifies the owner, and further sources identify their own tokens', async () => {
  const ask = await open();
  expect((await ask('/api/who')).body).toEqual({ kind: 'owner', id: 'owner', role: 'owner' });
  for (const who of Object.keys(people)) expect((await ask('/api/who', who)).body).toEqual(people[who]);
  expect((await ask('/api/who', 'nobody')).status).toBe(401);
});

test('a route without a permission is for owners only, and the rejection names the missing permission', async () => {
  const ask = await open();
  const statuses = async (path: string): Promise<number[]> => Promise.all(['viewer', 'member', 'device'].map(async (who) => (await ask(path, who)).status));
  expect(await statuses('/api/writing')).toEqual([403, 200, 200]);
  expect(await statuses('/api/undeclared')).toEqual([403, 403, 200]);
  const { error } = (await ask('/api/writing', 'viewer')).body;
  expect(error).toMatchObject({ code: 'forbidden', details: { permission: 'things.write' } });
  expect((await ask('/api/undeclared', 'member')).body.error).toMatchObject({ code: 'forbidden', details: { permission: 'owner' } });
});

test('an open route accepts anonymous requests but rejects a token without the permission', async () => {
  const ask = await open();
  expect((await ask('/api/open-to-some', '')).body).toEqual({ id: null });
  expect((await ask('/api/open-to-some', 'member')).body).toEqual({ id: 'm' });
  expect((await ask('/api/open-to-some', 'viewer')).status).toBe(403);
  expect((await ask('/api/open', 'viewer')).body).toMatchObject({ id: 'v' });
});

test('a request with a token of another principal is not local, although its connection is', async () => {
  const ask = await open();
  expect((await ask('/api/open', '')).body.isLocal).toBe((await ask('/api/open', 'device')).body.isLocal);
  expect((await ask('/api/open', 'viewer')).body.isLocal).toBe(false);
});

test('the OpenAPI document lists the permission and role of a route', async () => {
  const ask = await open();
  const { paths } = (await ask('/api/openapi.json')).body;
  expect(paths['/api/writing'].get).toMatchObject({ 'x-permission': 'things.write', 'x-role': 'member' });
  expect(paths['/api/undeclared'].get).toMatchObject({ 'x-role': 'owner' });
  expect(paths['/api/open'].get).not.toHaveProperty('x-role');
});
