// Tests that the open streams of members end with their access on every node.
import type { PluginModule, Registry } from 'agent-harness/kernel';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {} from '../../../../builtins/control-plane/plane-people/contract.ts';
import { startNatsServer } from '../../../helpers/nats.ts';
import { hasTool } from '../../../helpers/required-tools.ts';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';

const open = {
  manifest: { name: 'open', requires: ['people'] },
  register(registry: Registry<{ name: string; requires: readonly ['people'] }>): void {
    const { people } = registry.services;
    registry.add('route', {
      key: 'GET /test/stream',
      summary: 'Stays open.',
      tag: 'test',
      permission: 'things.read',
      schema: {},
      isRaw: true,
      handle({ principal, reply }) {
        const watch = people.watchAccess(people.member(principal));
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.raw.write('data: open\n\n');
        watch.signal.addEventListener('abort', () => reply.raw.end('data: ended\n\n'));
        reply.raw.once('close', () => void watch.dispose());
      },
    });
  },
} as unknown as PluginModule<never>;

interface OpenStream {
  readonly ended: Promise<string>;
  isOpen(): boolean;
}

async function openStream(plane: Plane, { cookie, token }: { readonly cookie?: string; readonly token?: string }): Promise<OpenStream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const reply = await fetch(`${plane.url}/test/stream`, {
    headers: { ...(cookie === undefined ? {} : { cookie }), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    signal: abort.signal,
  });
  expect(reply.status).toBe(200);
  let isOpen = true;
  const ended = reply.text().finally(() => (isOpen = false));
  ended.catch(() => undefined);
  return { ended, isOpen: () => isOpen };
}

async function startNodes(environment: Record<string, string> = {}): Promise<readonly [Plane, Plane]> {
  const one = await startPlane({ modules: { open }, environment });
  onTestFinished(() => one.close());
  const other = await startPlane({ modules: { open }, environment, databaseUrl: one.databaseUrl });
  onTestFinished(() => other.close());
  return [one, other];
}

type Nodes = readonly [Plane, Plane];

/** Each act removes access from Ben on the first node. His streams on both nodes end, those of others stay open. */
async function tryActs([one, other]: Nodes): Promise<void> {
  const owner = await addMember(one, { email: 'ann@example.org', role: 'owner' });
  const orgPath = `/api/orgs/${owner.member.org.id}`;
  const acts: Readonly<Record<string, (ben: Awaited<ReturnType<typeof addMember>>) => Promise<{ status: number }>>> = {
    'a role change': ({ member }) => one.call('PATCH', `${orgPath}/members/${member.person.id}`, { cookie: owner.cookie, body: { role: 'viewer' } }),
    'a sign-out': ({ cookie }) => one.call('POST', '/api/account/sign-out', { cookie, body: {} }),
    'a removal': ({ member }) => one.call('DELETE', `${orgPath}/members/${member.person.id}`, { cookie: owner.cookie }),
  };
  const ownerStreams = await Promise.all([openStream(one, owner), openStream(other, owner)]);
  for (const [name, act] of Object.entries(acts)) {
    const ben = await addMember(one, { email: 'ben@example.org', role: 'member' });
    const streams = await Promise.all([openStream(one, { cookie: ben.cookie }), openStream(other, { cookie: ben.cookie })]);
    expect(await act(ben), name).toMatchObject({ status: 200 });
    expect(await Promise.all(streams.map(({ ended }) => ended)), name).toEqual(Array(2).fill('data: open\n\ndata: ended\n\n'));
  }
  expect(ownerStreams.map((stream) => stream.isOpen())).toEqual([true, true]);
  const plan = { tier: 'team', seats: 20 };
  expect(await other.call('PUT', `${orgPath}/plan`, { cookie: owner.cookie, body: plan })).toMatchObject({ status: 200 });
  expect(await Promise.all(ownerStreams.map(({ ended }) => ended))).toEqual(Array(2).fill('data: open\n\ndata: ended\n\n'));
}

describe.skipIf(!hasTool('PostgreSQL'))('two nodes', () => {
  test.skipIf(!hasTool('nats-server'))('end the streams of a member without access, with NATS signals', async () => {
    const nats = await startNatsServer();
    onTestFinished(() => nats.kill());
    const nodes = await startNodes({ NATS_URL: nats.url });
    await expect.poll(() => nodes.map((node) => node.kernel.resolve('signals').state())).toEqual(['connected', 'connected']);
    await tryActs(nodes);
  });

  test('end the streams of a member without access, without NATS', async () => {
    await tryActs(await startNodes());
  });

  test('end the streams of a removed member’s service and reject the old license after the member returns', async () => {
    const [one, other] = await startNodes();
    const owner = await addMember(one, { email: 'ann@example.org', role: 'owner' });
    const ben = await addMember(one, { email: 'ben@example.org', role: 'member' });
    const stream = await openStream(other, { token: ben.token });
    const path = `/api/orgs/${owner.member.org.id}/members/${ben.member.person.id}`;
    expect(await one.call('DELETE', path, { cookie: owner.cookie })).toMatchObject({ status: 200 });
    expect(await stream.ended).toContain('ended');
    // A returning member has to sign in again. The old license stays revoked.
    const again = await addMember(one, { email: 'ben@example.org', role: 'member' });
    expect(await other.call('GET', '/test/stream', { token: ben.token })).toMatchObject({ status: 401 });
    expect((await openStream(other, { token: again.token })).isOpen()).toBe(true);
  });
});

test('aborts a watch whose session ended before the watch began', async () => {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const { member } = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const people = plane.kernel.resolve('people');
  await plane.kernel.resolve('database').query('delete from session');
  const watch = people.watchAccess(member);
  await expect.poll(() => watch.signal.aborted).toBe(true);
});

test('keeps a watch that was added during a running check', async () => {
  const asked: (readonly string[])[] = [];
  let answer = (): void => undefined;
  const slow = {
    manifest: { name: 'slow', requires: ['people'] },
    register(registry: Registry<{ name: string; requires: readonly ['people'] }>): void {
      registry.add('credential_source', {
        via: 'session',
        ended(credentials) {
          asked.push(credentials);
          return new Promise((resolve) => (answer = () => resolve([])));
        },
        list: () => Promise.resolve([]),
        end: () => Promise.resolve([]),
      });
    },
  } as unknown as PluginModule<never>;
  const plane = await startPlane({ modules: { slow } });
  onTestFinished(() => plane.close());
  const ann = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const ben = await addMember(plane, { email: 'ben@example.org', role: 'member' });
  const people = plane.kernel.resolve('people');
  people.watchAccess(ann.member);
  await expect.poll(() => asked).toEqual([[ann.member.credential]]);
  const watch = people.watchAccess(ben.member);
  answer();
  await expect.poll(() => asked).toEqual([[ann.member.credential], [ann.member.credential, ben.member.credential]]);
  expect(watch.signal.aborted).toBe(false);
  answer();
});
