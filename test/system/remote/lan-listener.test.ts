// Tests the peer filter of the LAN listener by the address of a connection.
import { expect, test } from 'vitest';
import { createLanListener } from '../../../builtins/desktop/remote/codes/lan-listener.ts';

interface Listener {
  readonly host: string;
  readonly ceiling: object;
  admits(peer: string): boolean;
  opened(at: object): void;
}

async function openAt(host: string): Promise<Listener> {
  let listener: Listener | undefined;
  const scope = {
    add(_: string, made: Listener) {
      listener = made;
      made.opened({ host, port: 4_000, url: `http://${host}:4000` });
    },
    dispose: async () => undefined,
  };
  await createLanListener(
    () => scope as never,
    () => host,
  ).open();
  return listener as Listener;
}

const near = [
  '127.0.0.1',
  '192.168.1.20',
  '10.3.2.1',
  '172.16.0.9',
  '169.254.3.4',
  '100.101.2.3',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fd12:3456::1',
  '::ffff:192.168.1.20',
];
const far = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '2606:4700::1111',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '64:ff9b::808:808',
  'fd::1',
  'fe8::1',
  '::ffff:8.8.8.8',
  '64:ff9b::c0a8:101',
  '224.0.0.1',
  '240.0.0.1',
  '',
];

test.each(['0.0.0.0', '::', '192.168.1.5'])('admits private networks only when bound to %s', async (host) => {
  const { admits, ceiling } = await openAt(host);
  for (const peer of near) expect([peer, admits(peer)]).toEqual([peer, true]);
  for (const peer of far) expect([peer, admits(peer)]).toEqual([peer, false]);
  expect(ceiling).toEqual({ role: 'viewer', areas: ['remote_guest'] });
});

test('admits all peers when bound explicitly to a public address', async () => {
  const { admits } = await openAt('8.8.4.4');
  for (const peer of [...near, ...far]) expect(admits(peer)).toBe(true);
});
