// Tests the relay on two nodes behind an alternating proxy, also during the loss of NATS or of a node.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findNatsServer, startNatsServer, type NatsServer } from '../../../helpers/nats.ts';
import { addMember, startPlane, type AddedMember, type Plane } from '../../../helpers/plane.ts';
import { hasTool } from '../../../helpers/required-tools.ts';
import { askAs, fetchInTurn, openGuest, startScriptedHost, type ReadingGuest, type ScriptedHost } from '../../../helpers/relay.ts';

// The embedded database supports only one node.
const canRun = hasTool('PostgreSQL') && findNatsServer() !== undefined;
let nats: NatsServer;
let first: Plane;
let second: Plane;
let ann: AddedMember;
beforeAll(async () => {
  if (!canRun) return;
  nats = await startNatsServer();
  const environment = { NATS_URL: nats.url };
  first = await startPlane({ environment });
  second = await startPlane({ environment, databaseUrl: first.databaseUrl });
  ann = await addMember(first, { email: 'ann@example.org', role: 'member', tier: 'pro' });
});
afterAll(async () => {
  if (!canRun) return;
  await second.close();
  await first.close();
  await nats.kill();
});

const ready = (plane: Plane): Promise<void> => waitFor(() => plane.kernel.resolve('signals').state() === 'connected');
async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
async function host(...planes: readonly Plane[]): Promise<ScriptedHost> {
  const one = await startScriptedHost({ ask: askAs(ann.token, ...planes.map(({ url }) => url)), size: 600_000 });
  onTestFinished(() => one.end());
  return one;
}
function join({ code, secret }: ScriptedHost, ...planes: readonly Plane[]): ReadingGuest {
  let turn = 0;
  const urls = planes.map(({ url }) => url);
  const guest = openGuest({ code, secret, origin: '', fetch: (path, init) => fetchInTurn(urls, turn++, path as string, init) });
  onTestFinished(() => guest.close());
  return guest;
}
async function use(guest: ReadingGuest, clicks: number): Promise<void> {
  for (let at = 0; at < clicks; at++) {
    const n = guest.click();
    await guest.until(({ frames }) => frames.at(-1)?.ackedInput === n);
  }
}
const said = (one: ScriptedHost): number[] => one.guests.flatMap((guest) => guest.said.map((text) => JSON.parse(text).n as number));

test.skipIf(!canRun)('relays large frames and ordered inputs between a host and a viewer on different nodes', async () => {
  await Promise.all([ready(first), ready(second)]);
  const one = await host(first);
  const guest = join(one, second);
  await guest.until(({ frames }) => frames.length > 0);
  await use(guest, 4);
  // Exceeds the number of inputs stored on a node that the host does not poll.
  for (let at = 0; at < 150; at++) guest.click();
  await guest.until(({ frames }) => frames.at(-1)?.ackedInput === 154);
  expect(said(one)).toEqual(Array.from({ length: 154 }, (_, at) => at + 1));
  expect(second.kernel.resolve('signals').state()).toBe('connected');
});

test.skipIf(!canRun)('relays with requests alternating between nodes, and ends the session on both', async () => {
  await Promise.all([ready(first), ready(second)]);
  const one = await startScriptedHost({ ask: askAs(ann.token, first.url, second.url) });
  const [guest, other] = [join(one, second, first), join(one, second)];
  for (const each of [guest, other]) await each.until(({ frames }) => frames.length > 0);
  await use(guest, 5);
  await one.end();
  for (const each of [guest, other]) await each.until(({ states }) => states.at(-1)?.state === 'refused');
});

test.skipIf(!canRun)(
  'relays without loss while NATS is unavailable',
  async () => {
    await Promise.all([ready(first), ready(second)]);
    const one = await host(first, second);
    const guest = join(one, first, second);
    await guest.until(({ frames }) => frames.length > 0);
    await use(guest, 1);
    await nats.kill();
    await waitFor(() => first.kernel.resolve('signals').state() === 'lost' && second.kernel.resolve('signals').state() === 'lost');
    await use(guest, 2);
    await nats.start();
    await Promise.all([ready(first), ready(second)]);
    await use(guest, 2);
    expect(said(one)).toEqual([1, 2, 3, 4, 5]);
  },
  60_000,
);

test.skipIf(!canRun)('announces a repeated input to the other nodes again, because the host may have missed the first signal', async () => {
  await Promise.all([ready(first), ready(second)]);
  const one = await host(first);
  let last: (() => Promise<Response>) | undefined;
  const guest = openGuest({
    ...{ code: one.code, secret: one.secret, origin: second.url },
    fetch(path, init) {
      if ((path as string).endsWith('/input')) last = () => fetch(path, init);
      return fetch(path, init);
    },
  });
  onTestFinished(() => guest.close());
  await guest.until(({ frames }) => frames.length > 0);
  await use(guest, 1);
  let announcements = 0;
  const hearing = second.kernel.resolve('signals').subscribe('relay.*', (payload) => {
    if ((payload as { what?: unknown }).what === 'inputs') announcements++;
  });
  onTestFinished(() => void hearing.dispose());
  const reply = await last?.();
  expect([reply?.status, await reply?.json(), announcements]).toEqual([200, { kept: 0 }, 1]);
  await use(guest, 1);
  expect(said(one)).toEqual([1, 2]);
});

test.skipIf(!canRun)(
  'continues a session on the other node after a node stops',
  async () => {
    const third = await startPlane({ environment: { NATS_URL: nats.url }, databaseUrl: first.databaseUrl });
    await Promise.all([ready(first), ready(third)]);
    const one = await host(third, first);
    const guest = join(one, third, first);
    await guest.until(({ frames }) => frames.length > 0);
    await use(guest, 2);
    await third.close();
    await use(guest, 3);
    expect(said(one)).toEqual([1, 2, 3, 4, 5]);
    expect(one.guests.filter(({ isGone }) => !isGone)).toHaveLength(1);
  },
  60_000,
);
