// Tests the access rules of every control plane route. The cases derive from the OpenAPI document, so new routes are included.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { readRoutes, roles, sendTo, type PlaneRoute, type Sender, type Sent } from './plane-routes.ts';

let plane: Plane;
let routes: readonly PlaneRoute[];

beforeAll(async () => {
  plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '100000', HUB_SIGN_UP: 'open' } });
  routes = readRoutes(plane.kernel.resolve('http').openapi());
}, 60_000);
afterAll(() => plane.close());

const send = (route: PlaneRoute, who: Sender, fill?: (name: string) => string | undefined): Promise<Sent> => sendTo(plane, route, who, fill);

/** Marker in all data of the first organisation, to detect a leak. */
const marker = 'of-acme-alone';

test('declares a minimum role for each route that is not open', () => {
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter(({ role, isOpen }) => role === undefined && !isOpen)).toEqual([]);
});

test('returns 401 on every route that is not open without a valid credential', async () => {
  const closed = routes.filter(({ isOpen }) => !isOpen);
  for (const who of [{}, { cookie: `hub_session=${'x'.repeat(43)}` }, { token: 'x'.repeat(64) }]) {
    const sent = await Promise.all(closed.map((route) => send(route, who)));
    expect(sent.filter(({ status, code }) => status !== 401 || code === undefined)).toEqual([]);
  }
});

test('returns 403 for each role below the minimum, for sessions and service tokens', async () => {
  for (const [rank, role] of roles.slice(0, -1).entries()) {
    const { cookie, token } = await addMember(plane, { email: `${role}@acme.example`, role });
    const higher = routes.filter((route) => route.role !== undefined && roles.indexOf(route.role) > rank);
    const sent = await Promise.all(higher.flatMap((route) => [send(route, { cookie }), send(route, { token })]));
    expect(sent.length, role).toBeGreaterThan(0);
    expect(
      sent.filter(({ status, code }) => status !== 403 || code !== 'forbidden'),
      role,
    ).toEqual([]);
  }
}, 60_000);

test('rejects the machine token on every organisation and account route', async () => {
  const token = await plane.kernel.resolve('webToken').current();
  const inside = routes.filter(
    ({ isOpen, pattern, entitlement }) => !isOpen && (entitlement !== undefined || pattern.startsWith('/api/orgs') || pattern.startsWith('/api/account')),
  );
  expect(inside.length).toBeGreaterThan(10);
  const sent = await Promise.all(inside.map((route) => send(route, { token })));
  expect(sent.filter(({ status }) => status < 400)).toEqual([]);
  expect(await plane.call('GET', '/api/account/me', { token })).toMatchObject({ status: 401, body: { error: { code: 'signed_out' } } });
  expect(() => plane.kernel.resolve('people').member(undefined)).toThrow(expect.objectContaining({ code: 'PLANE_PEOPLE_ERR_FORBIDDEN' }));
});

test('returns 403 entitlement_required to an owner without the entitlement', async () => {
  const { cookie, token } = await addMember(plane, { email: 'owner@poor.example', role: 'owner', org: 'Poor', tier: 'community' });
  const paid = routes.filter(({ entitlement }) => entitlement !== undefined);
  expect(paid.length).toBeGreaterThan(1);
  const sent = await Promise.all(paid.flatMap((route) => [send(route, { cookie }), send(route, { token })]));
  expect(sent.filter(({ status, code }) => status !== 403 || code !== 'entitlement_required')).toEqual([]);
}, 60_000);

test('requires a browser session for routes that change access rights, even for an owner’s license token', async () => {
  const { token, cookie, member } = await addMember(plane, { email: 'boss@acme.example', role: 'owner' });
  const rights = /^\/api\/(?:orgs\/.*(?:invites|members|plan|sso)|connectors|team\/org|team\/audit\/retention|inference\/wallet)/;
  const changing = routes.filter(
    ({ method, pattern }) => pattern.startsWith('/api/operator') || (method !== 'GET' && rights.test(pattern) && !pattern.endsWith('/test')),
  );
  expect(changing.length).toBeGreaterThanOrEqual(12);
  const fill = (name: string): string | undefined => ({ id: member.org.id, userId: member.person.id })[name];
  const before = await rowsOf(member.org.id);
  for (const route of changing)
    expect(await send(route, { token }, fill)).toMatchObject({ route: `${route.method} ${route.pattern}`, status: 403, code: 'session_needed' });
  const { invite, membership, sso_config } = await rowsOf(member.org.id);
  expect({ invite, membership, sso_config }).toEqual({ invite: before['invite'], membership: before['membership'], sso_config: before['sso_config'] });
  for (const route of changing) expect((await send(route, { cookie }, fill)).code, route.pattern).not.toBe('session_needed');
});

const ending = /^\/api\/(account|license)\/|\/(leave|switch)$|^\/api\/orgs$/;

/** Returns all rows of an organisation as text, by table. */
async function rowsOf(orgId: string): Promise<Record<string, string>> {
  const database = plane.kernel.resolve('database');
  const tables = await database.query<{ table_name: string }>(
    `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = current_schema() and c.column_name = 'org_id' and t.table_type = 'BASE TABLE' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { table_name: table } of tables) {
    const [row] = await database.query<{ rows: string | null }>(
      `select string_agg(t::text, E'\\n' order by t::text) as rows from "${table}" t where t.org_id = $1`,
      [orgId],
    );
    if (row?.rows) found[table] = row.rows;
  }
  return found;
}

function idsIn(rows: Record<string, string>, of: AddedMember): string[] {
  const ids = [
    ...Object.values(rows)
      .join('\n')
      .matchAll(/\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g),
  ].map(([id]) => id);
  return [...new Set([of.member.org.id, of.member.person.id, ...ids])];
}

test('neither returns nor changes data of another organisation addressed by id', async () => {
  const ann = await addMember(plane, { email: `ann@${marker}.example`, role: 'owner', org: `Acme ${marker}` });
  const ben = await addMember(plane, { email: `ben@${marker}.example`, role: 'member', org: `Acme ${marker}` });
  const orgIds: Readonly<Record<string, string>> = { id: ann.member.org.id };
  for (const route of routes) {
    const isSeed = (route.method === 'POST' || route.method === 'PUT') && !route.isOpen && !ending.test(route.pattern);
    if (isSeed) await send(route, { cookie: ann.cookie, text: marker }, (name) => orgIds[name]);
  }
  const eve = await addMember(plane, { email: 'eve@other.example', role: 'owner', org: 'Other' });
  const before = await rowsOf(ann.member.org.id);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['membership', 'session', 'invite']));
  const ids = idsIn(before, ben);
  // One id of each kind is sufficient.
  const kinds = [...new Map(ids.map((id) => [id.split('_', 1)[0], id])).values()];

  for (const route of routes) {
    if (route.isOpen || /^\/api\/account\/(sign-out|password|reset)|^\/api\/license\//.test(route.pattern) || route.pattern === '/api/orgs') continue;
    const names = route.parameters.map(({ name }) => name).filter((name) => name === 'id' || /Id$/.test(name));
    for (const id of names.length > 0 ? kinds : ['x']) {
      const values: Readonly<Record<string, string>> = { id: ann.member.org.id, userId: ben.member.person.id };
      for (const fill of names.length > 1 ? [(name: string) => values[name] ?? id, () => id] : [(name: string) => (names.includes(name) ? id : undefined)]) {
        const sent = await send(route, { cookie: eve.cookie }, fill);
        if (route.pattern.includes('{') && names.length > 0) expect(sent.status, `${sent.route} with ${id}`).toBeGreaterThanOrEqual(400);
        expect(sent.text, sent.route).not.toContain(marker);
      }
    }
  }
  expect(await rowsOf(ann.member.org.id)).toEqual(before);
}, 120_000);
