// Who may call what, for every route that the control plane has: made from the routes, so that one added later is covered, too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { instanceOf } from './schema-instance.ts';

const roles = ['viewer', 'member', 'admin', 'owner'] as const;
type Role = (typeof roles)[number];

interface PlaneRoute {
  readonly method: string;
  readonly pattern: string;
  /** The least; left out where the route is for all. */
  readonly role?: Role;
  readonly entitlement?: string;
  readonly isOpen: boolean;
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean; readonly schema: unknown }[];
  readonly body?: unknown;
}

let plane: Plane;
let routes: readonly PlaneRoute[];

beforeAll(async () => {
  plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '100000', HUB_SIGN_UP: 'open' } });
  routes = readRoutes(plane.kernel.resolve('http').openapi());
}, 60_000);
afterAll(() => plane.close());

function readRoutes(document: Record<string, unknown>): PlaneRoute[] {
  return Object.entries(document['paths'] as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      method: method.toUpperCase(),
      pattern: path,
      ...(one['x-role'] === undefined ? {} : { role: one['x-role'] as Role }),
      ...(one['x-entitlement'] === undefined ? {} : { entitlement: one['x-entitlement'] as string }),
      isOpen: one['security'] !== undefined,
      parameters: (one['parameters'] ?? []) as PlaneRoute['parameters'],
      body: one['requestBody']?.content?.['application/json']?.schema as unknown,
    })),
  );
}

interface Sender {
  readonly cookie?: string;
  readonly token?: string;
  /** What they write wherever a text is asked for. */
  readonly text?: string;
}

interface Sent {
  readonly route: string;
  readonly status: number;
  readonly code?: string;
  readonly text: string;
}

/** Parameters take what `fill` says, else something of their schema. A stream is let go once it is open. */
async function send(route: PlaneRoute, who: Sender, fill: (name: string) => string | undefined = () => undefined): Promise<Sent> {
  const drawn = (schema: unknown): string => {
    const value = instanceOf(schema, who.text ?? 'some') ?? 'x';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const valueOf = (name: string, schema: unknown): string => encodeURIComponent(fill(name) ?? drawn(schema));
  let path = route.pattern;
  const query: string[] = [];
  for (const one of route.parameters) {
    if (one.in === 'path') path = path.replace(`{${one.name}}`, valueOf(one.name, one.schema));
    else if (one.required || fill(one.name) !== undefined) query.push(`${one.name}=${valueOf(one.name, one.schema)}`);
  }
  const leave = new AbortController();
  const reply = await fetch(`${plane.url}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
    method: route.method,
    redirect: 'manual',
    signal: leave.signal,
    headers: {
      ...(route.body === undefined ? {} : { 'content-type': 'application/json' }),
      // As our own page does.
      ...(who.cookie === undefined ? {} : { cookie: who.cookie, origin: plane.url }),
      ...(who.token === undefined ? {} : { authorization: `Bearer ${who.token}` }),
    },
    ...(route.body === undefined ? {} : { body: JSON.stringify(instanceOf(route.body, who.text ?? 'some')) }),
  });
  const isStream = reply.headers.get('content-type')?.includes('event-stream') === true;
  const text = isStream ? '' : await reply.text();
  leave.abort();
  const error = text.startsWith('{') ? (JSON.parse(text) as { error?: { code?: string } }).error : undefined;
  return { route: `${route.method} ${route.pattern}`, status: reply.status, text, ...(error?.code === undefined ? {} : { code: error.code }) };
}

/** In everything that the first organisation says, so that it is known where it turns up. */
const marker = 'of-acme-alone';

test('the plane has routes, and says of each who may call it', () => {
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter(({ role, isOpen }) => role === undefined && !isOpen)).toEqual([]);
});

test('without a credential, and with one that is none, everything that is not open answers 401', async () => {
  const closed = routes.filter(({ isOpen }) => !isOpen);
  for (const who of [{}, { cookie: `hub_session=${'x'.repeat(43)}` }, { token: 'x'.repeat(64) }]) {
    for (const route of closed)
      expect(await send(route, who)).toMatchObject({ route: `${route.method} ${route.pattern}`, status: 401, code: expect.any(String) });
  }
});

test('each role below the least one is refused, in the browser and for services', async () => {
  for (const [rank, role] of roles.slice(0, -1).entries()) {
    const { cookie, token } = await addMember(plane, { email: `${role}@acme.example`, role });
    for (const route of routes) {
      if (route.role === undefined || roles.indexOf(route.role) <= rank) continue;
      const refused = { route: `${route.method} ${route.pattern}`, status: 403, code: 'forbidden' };
      expect(await send(route, { cookie }), role).toMatchObject(refused);
      expect(await send(route, { token }), role).toMatchObject(refused);
    }
  }
}, 60_000);

test('the token of the machine is of no member: it reads and changes nothing of an organisation', async () => {
  const token = await plane.kernel.resolve('webToken').current();
  const inside = routes.filter(
    ({ isOpen, pattern, entitlement }) => !isOpen && (entitlement !== undefined || pattern.startsWith('/api/orgs') || pattern.startsWith('/api/account')),
  );
  expect(inside.length).toBeGreaterThan(10);
  for (const route of inside) expect((await send(route, { token })).status, route.pattern).toBeGreaterThanOrEqual(400);
});

test('without its entitlement a route refuses the owner', async () => {
  const { cookie, token } = await addMember(plane, { email: 'owner@poor.example', role: 'owner', org: 'Poor', tier: 'community' });
  const paid = routes.filter(({ entitlement }) => entitlement !== undefined);
  expect(paid.length).toBeGreaterThan(1);
  for (const route of paid) {
    const refused = { route: `${route.method} ${route.pattern}`, status: 403, code: 'entitlement_required' };
    expect(await send(route, { cookie })).toMatchObject(refused);
    expect(await send(route, { token })).toMatchObject(refused);
  }
}, 60_000);

/** What ends the sessions that the others need, or moves them to another organisation, is seen by its own tests. */
const ending = /^\/api\/(account|license)\/|\/(leave|switch)$|^\/api\/orgs$/;

/** Whatever the tables hold of an organisation. */
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

/** Texts in the rows that look like an id or like what names something. */
function idsIn(rows: Record<string, string>, of: AddedMember): string[] {
  const ids = [
    ...Object.values(rows)
      .join('\n')
      .matchAll(/\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g),
  ].map(([id]) => id);
  return [...new Set([of.member.org.id, of.member.person.id, ...ids])];
}

test('who names what belongs to another organisation reads and changes nothing of it', async () => {
  const ann = await addMember(plane, { email: `ann@${marker}.example`, role: 'owner', org: `Acme ${marker}` });
  const ben = await addMember(plane, { email: `ben@${marker}.example`, role: 'member', org: `Acme ${marker}` });
  // As much as routes can put there.
  const orgIds: Readonly<Record<string, string>> = { id: ann.member.org.id };
  for (const route of routes) {
    const isSeed = (route.method === 'POST' || route.method === 'PUT') && !route.isOpen && !ending.test(route.pattern);
    if (isSeed) await send(route, { cookie: ann.cookie, text: marker }, (name) => orgIds[name]);
  }
  const eve = await addMember(plane, { email: 'eve@other.example', role: 'owner', org: 'Other' });
  const before = await rowsOf(ann.member.org.id);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['membership', 'session', 'invite']));
  const ids = idsIn(before, ben);
  // One of each kind is enough.
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
