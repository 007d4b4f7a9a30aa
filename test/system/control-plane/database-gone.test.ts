// Tests the control plane without its database or with a blocked one: errors, timeouts and recovery.
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { hasTool } from '../../helpers/required-tools.ts';
import { openPlaneStream } from '../../helpers/plane-stream.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { startOwnServer } from '../../helpers/postgres.ts';
import { readRoutes, sendTo, type Sent } from './plane-routes.ts';

const environment = { HUB_ATTEMPTS_PER_MINUTE: '100000', HUB_SIGN_UP: 'open' };
const routesOf = (plane: Plane) => readRoutes(plane.kernel.resolve('http').openapi());
const say = (plane: Plane, { token }: AddedMember, n: number): ReturnType<Plane['call']> =>
  plane.call('POST', '/api/team/bus/publish', { token, body: { workspace: 'w', key: 'k', envelope: n, clientId: 'tests', mutationId: n } });

test.skipIf(!hasTool('PostgreSQL'))(
  'returns 503 with retry-after on every route without the database, and resumes streams after its return',
  { timeout: 90_000 },
  async () => {
    const server = await startOwnServer();
    onTestFinished(() => server.dispose());
    const plane = await startPlane({ databaseUrl: server.url, environment });
    onTestFinished(() => plane.close());
    const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
    await say(plane, ann, 1);
    const stream = await openPlaneStream(plane.url, '/api/team/bus/subscribe?workspace=w&since=0', ann);
    const changes = await openPlaneStream(plane.url, '/api/team/changes', ann);
    onTestFinished(() => (stream.close(), changes.close()));
    await stream.until(({ cursor }) => cursor === 1);
    await changes.until(({ policy }) => policy === 0);

    await server.stop();
    expect(await plane.call('GET', '/readyz')).toMatchObject({ status: 503, body: { error: { code: 'not_ready' } } });
    expect((await plane.call('GET', '/healthz')).status).toBe(200);
    const sent = await Promise.all(
      routesOf(plane).flatMap((route) =>
        [{ cookie: ann.cookie }, { token: ann.token }].map(async (who): Promise<Sent & { readonly isOpen: boolean }> => {
          return { ...(await sendTo(plane, route, who)), isOpen: route.isOpen };
        }),
      ),
    );
    const closed = sent.filter(({ isOpen }) => !isOpen);
    expect(closed.filter(({ status, code, retryAfter }) => status !== 503 || code !== 'unavailable' || retryAfter === undefined)).toEqual([]);
    expect(sent.filter(({ status, code }) => status >= 500 && !(status === 503 && code !== undefined))).toEqual([]);
    const port = new URL(server.url).port;
    expect(sent.filter(({ text }) => text.includes(port) || /postgres|\bat .*\.(ts|js):\d/.test(text))).toEqual([]);

    await server.start();
    await expect.poll(async () => (await plane.call('GET', '/readyz')).status).toBe(200);
    await expect.poll(async () => (await say(plane, ann, 2)).status).toBe(200);
    await stream.until(({ cursor }) => cursor === 2);
    expect(stream.events.map(({ data }) => data.cursor)).toEqual([1, 2]);
    const written = await plane.call('PUT', '/api/team/policy', { token: ann.token, body: { base: 0, policy: { blockedTools: ['x'] } } });
    expect(written.status).toBe(200);
    await changes.until(({ policy }) => policy === 1);
  },
);

test.skipIf(!hasTool('PostgreSQL'))(
  'returns 503 while all connections wait for a lock, and answers the waiting requests after its release',
  { timeout: 60_000 },
  async () => {
    const plane = await startPlane({ environment });
    onTestFinished(() => plane.close());
    const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
    await say(plane, ann, 1);
    const { default: pg } = await import('pg');
    const holder = new pg.Client({ connectionString: plane.databaseUrl });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table bus_workspace in access exclusive mode');
    const waiting = Array.from({ length: 30 }, (_, at) => say(plane, ann, at + 2));
    const isFull = async (): Promise<boolean> => {
      await holder.query('select pg_stat_clear_snapshot()');
      const { rows } = await holder.query(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].count >= 15;
    };
    await expect.poll(isFull).toBe(true);
    expect((await plane.call('GET', '/healthz')).status).toBe(200);
    const refused = await plane.call('GET', '/api/account/me', { token: ann.token });
    expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
    await holder.query('commit');
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(statuses.includes(503) ? [200, 503] : [200]));
    expect((await plane.call('GET', '/api/account/me', { token: ann.token })).status).toBe(200);
  },
);

test('holds no database connection for clients that stall while sending or reading', async () => {
  const plane = await startPlane({ environment });
  onTestFinished(() => plane.close());
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const { hostname, port } = new URL(plane.url);
  const begin = (head: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on('error', reject).write(`${head}\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${ann.token}\r\n`, () => resolve());
    });
  const stuck = [
    'POST /api/team/bus/publish HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"workspace":',
    'PUT /api/team/policy HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"base":',
  ];
  const reading = ['GET /api/team/audit/export HTTP/1.1', 'GET /api/team/bus/subscribe?workspace=w&since=0 HTTP/1.1'];
  for (let n = 0; n < 15; n++) for (const head of [...stuck, ...reading.map((one) => `${one}\r\n`)]) await begin(head);
  for (let n = 1; n <= 5; n++) expect((await say(plane, ann, n)).body).toEqual({ cursor: n });
});
