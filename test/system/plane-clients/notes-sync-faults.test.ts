// Tests notes sync with interrupted connections to the control plane and its database: correct errors and no loss.
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { addMember, startPlane } from '../../helpers/plane.ts';
import { openHome, removeFolders, type Home, type HomeOptions } from '../../unit/builtins/notes-sync/sync-kit.ts';
import { useAll } from '../../helpers/use-opened.ts';

const homes: Home[] = [];
const ends: (() => unknown)[] = [];
const plane = useAll(() => startPlane());
const member = useAll(() => addMember(plane, { email: 'ada@example.org', role: 'member', tier: 'team' }));
afterEach(async () => {
  for (const home of homes.splice(0)) expect(await home.close({ keepFiles: true })).toEqual([]);
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  await removeFolders();
});

async function open(options: Partial<HomeOptions> = {}): Promise<Home> {
  const home = await openHome({ plane, member, ...options });
  homes.push(home);
  return home;
}

/** Proxy between a home and the control plane that can cut the connection of a PUT before or after its answer. */
async function startProxy(): Promise<{ readonly url: string; cut: 'before' | 'after' | undefined; readonly puts: number }> {
  const state = { url: '', cut: undefined as 'before' | 'after' | undefined, puts: 0 };
  const server: Server = createServer((asked, answer) => {
    const isPut = asked.method === 'PUT';
    if (isPut) state.puts++;
    if (isPut && state.cut === 'before') return void asked.socket.destroy();
    const onward = httpRequest(
      plane.url + (asked.url ?? ''),
      { method: asked.method, headers: { ...asked.headers, host: new URL(plane.url).host } },
      (reply) => {
        if (isPut && state.cut === 'after') {
          reply.resume();
          return void reply.once('end', () => asked.socket.destroy());
        }
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      },
    );
    onward.on('error', () => asked.socket.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

test.each(['before', 'after'] as const)('applies a change once and converges if the connection is cut %s the control plane applied it', async (cut) => {
  const proxy = await startProxy();
  const one = await open({ site: proxy.url });
  await one.sync();
  const { revision } = (await one.sync()).sets[0];
  await one.remember(`of-${cut}`, 'kept');
  proxy.cut = cut;
  expect((await one.sync()).sets[0]).toMatchObject({ problem: expect.any(String), pushed: 0 });
  await one.remember(`more-${cut}`, 'kept');
  proxy.cut = undefined;
  const { sets } = await one.sync();
  expect(sets[0]).toMatchObject({ pending: 0, revision: revision + 2 });
  expect(sets[0]).not.toHaveProperty('problem');
  const two = await open();
  await two.sync();
  expect(await two.notes()).toEqual(await one.notes());
});

test('returns 503 without the database, keeps notes pending and sends them after its return', async () => {
  const { url, wire } = await startDatabaseProxy(plane.databaseUrl);
  const node = await startPlane({ databaseUrl: url });
  ends.push(() => node.close());
  const home = await open({ site: node.url });
  await home.sync();
  wire.cut();
  await home.remember('while-away', 'kept');
  const { status, body } = await node.call('GET', '/api/pro/cloud_sync/notes?workspace=global', { token: member.token });
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
  expect((await home.sync()).sets[0]).toMatchObject({ problem: expect.any(String), pending: 1 });
  expect((await home.call('GET', '/api/status')).status).toBe(200);
  wire.mend();
  const { sets } = await home.sync();
  expect(sets[0]).toMatchObject({ pending: 0, pushed: 1 });
});

async function startDatabaseProxy(databaseUrl: string): Promise<{ url: string; wire: { cut(): void; mend(): void } }> {
  const { connect, createServer: createTcp } = await import('node:net');
  const to = new URL(databaseUrl.replace(/^postgresql:/, 'http:'));
  const open = new Set<{ destroy(): void }>();
  let isCut = false;
  const server = createTcp((socket) => {
    if (isCut) return void socket.destroy();
    const onward = connect(Number(to.port), to.hostname);
    for (const one of [socket, onward]) {
      open.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        open.delete(one);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sever = (): void => {
    for (const one of open) one.destroy();
  };
  ends.push(() => {
    server.close();
    sever();
  });
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}${to.pathname}`,
    wire: {
      cut() {
        isCut = true;
        sever();
      },
      mend: () => void (isCut = false),
    },
  };
}
