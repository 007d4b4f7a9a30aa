// Tests the address rules for outgoing connections. Nothing is resolved, and nothing beyond loopback is contacted.
import { createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { bareHost, isInsideName, isLoopback } from '#lib/hosts';
import { addressesOf, createGuardedAgents, isNearby, literalAddress, outermostReach, reachOf, type FindAddresses, type GuardedAgents } from '#lib/net';
import { useAll } from '../../../helpers/use-opened.ts';

/** Hosts as written in a URL, which normalizes `0x7f.1`, `１２７。1` and similar forms. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  public: [
    ...['8.8.8.8', '134744072', '0x8080808', '010.010.010.010', '8.8.2056', '8.8.8.8.', '172.32.0.1', '[2606:4700:4700::1111]', '[2a00:1450:4001:81b::200e]'],
  ],
  private: [
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '0xa.1', '012.0.0.1', '167772161'],
    ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '240.0.0.1'],
    ...['[fc00::1]', '[fd12::1]', '[fec0::1]', '[2001:db8::1]', '[100::1]', '[5f00::1]', '[100:0:0:1::1]'],
    // An address with an embedded public address may lead anywhere.
    ...['[::ffff:8.8.8.8]', '[::8.8.8.8]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::8.8.8.8]', '[2002:808:808::]', '[2001::f7f7:f7f7]'],
    ...['[::ffff:10.0.0.1]', '[64:ff9b::10.0.0.1]', '[2002:a00:1::]', '[2001::f5ff:fffe]'],
  ],
  machine: [
    ...['127.0.0.1', '127.1', '127.255.255.254', '0x7f.1', '0177.0.0.1', '2130706433', '0x7f000001', '127.0.0.1.'],
    ...['0', '0.0.0.0', '[::]', '[::ffff:0.0.0.0]'],
    ...['１２７.0.0.1', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1'],
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001::80ff:fffe]'],
  ],
  nobody: [
    ...['255.255.255.255', '224.0.0.1', '239.255.255.255', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376'],
    ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '[fd00:ec2::254]'],
    ...['[fe80::1]', '[febf::1]', '[ff02::1]', '[::ffff:169.254.169.254]'],
    ...['[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]', '[2001::5601:5601]'],
  ],
};

test.each(Object.entries(hosts))('every notation of an address has the reach "%s"', (reach, forms) => {
  for (const form of forms) {
    const address = literalAddress(new URL(`http://${form}:1/`).hostname);
    expect(address, form).toBeDefined();
    expect(reachOf(address ?? '') ?? 'nobody', form).toBe(reach);
  }
});

const peers: readonly (readonly [address: string, isNear: boolean, reach: ReturnType<typeof reachOf>])[] = [
  ['127.0.0.1', true, 'machine'],
  ['::1', true, 'machine'],
  ['::ffff:127.0.0.1', true, 'machine'],
  ['192.168.1.20', true, 'private'],
  ['172.31.255.255', true, 'private'],
  ['172.32.0.1', false, 'public'],
  ['::ffff:10.0.0.7', true, 'private'],
  ['::ffff:a00:7', true, 'private'],
  ['::ffff:8.8.8.8', false, 'private'],
  ['100.101.2.3', true, 'private'],
  ['169.254.3.4', true, undefined],
  ['fe80::1%wlan0', true, undefined],
  ['fd12:3456::1', true, 'private'],
  // A group of two digits is a small number, not a private network.
  ['fd::1', false, 'private'],
  ['fe8::1', false, 'private'],
  ['2606:4700::1111', false, 'public'],
  // An address with an embedded private one still came through the public network.
  ['64:ff9b::192.168.1.20', false, 'private'],
  ['64:ff9b::8.8.8.8', false, 'private'],
  ['2002:c0a8:114::1', false, 'private'],
  ['2001::f5ff:fffe', false, 'private'],
  ['::c0a8:114', false, 'private'],
  ['0.0.0.0', false, 'machine'],
  ['224.0.0.1', false, undefined],
  ['240.0.0.1', false, 'private'],
  ['192.0.2.1', false, 'private'],
  ['', false, undefined],
  ['localhost', false, undefined],
];

test('isNearby judges the source of a connection, reachOf its target', () => {
  for (const [address, isNear, reach] of peers) expect([address, isNearby(address), reachOf(address)]).toEqual([address, isNear, reach]);
});

test('a zone is ignored, and text that is not an address has no reach', () => {
  expect(['fe80::1%eth0', '::1%lo', 'fd00::1%25en0'].map(reachOf)).toEqual([undefined, 'machine', 'private']);
  expect(['', 'example.com', 'localhost', '1.2.3.4.5', ':::', '%eth0', '8.8.8.8/32'].map(reachOf)).toEqual(Array(7).fill(undefined));
});

test('local and internal names are detected by name', () => {
  const inside = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.LocalHost.', 'printer', 'printer.local', 'x.internal', 'x.home.arpa', 'x.lan'];
  expect(inside.filter((name) => !isInsideName(name))).toEqual([]);
  expect(['ｌｏｃａｌｈｏｓｔ', 'a。localhost', 'ⓛocalhost'].filter((name) => !isInsideName(new URL(`http://${name}/`).hostname))).toEqual([]);
  const outside = ['example.com', 'localhost.example.com', 'local.example', 'mylocalhost.com', 'internal.example.org.'];
  expect(outside.filter(isInsideName)).toEqual([]);
  expect([bareHost('[::1]'), bareHost('Example.COM.')]).toEqual(['::1', 'example.com']);
});

test('a host with any public address counts as public', () => {
  expect(outermostReach(['10.0.0.1', '8.8.8.8'])).toBe('public');
  expect(outermostReach(['127.0.0.1', '10.0.0.1'])).toBe('private');
  expect(outermostReach(['127.0.0.1', '::1'])).toBe('machine');
  expect([outermostReach([]), outermostReach(['10.0.0.1', '169.254.169.254'])]).toEqual(['public', 'public']);
});

let port: number;
const server = useAll(() => createServer((request, reply) => void reply.end(`for ${request.headers.host}`)));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as { port: number });
});

const refused = (address: string): Error => Object.assign(new Error(`not ${address}`), { code: 'EREFUSED' });
const onlyMachine = (address: string): Error | undefined => (reachOf(address) === 'machine' ? undefined : refused(address));

async function ask(agents: GuardedAgents, host: string): Promise<string> {
  const url = new URL(`http://${host}:${port}/`);
  const agent = await agents.agentFor(url);
  return new Promise((resolve, reject) => {
    get(url, { agent }, (reply) => void text(reply).then(resolve, reject)).on('error', reject);
  });
}

test('one forbidden address rejects the name at any position, and a name without addresses is not found', async () => {
  const names: Record<string, string[]> = { first: ['10.0.0.1', '127.0.0.1'], last: ['127.0.0.1', '10.0.0.1'], none: [] };
  const agents = createGuardedAgents(onlyMachine, async (name) => (names[name] ?? []).map((address) => ({ address, family: 4 })));
  for (const name of ['first', 'last']) await expect(ask(agents, name)).rejects.toMatchObject({ code: 'EREFUSED' });
  await expect(ask(agents, 'none')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  agents.destroy();
});

test('a literal address is checked without a lookup', async () => {
  const never: FindAddresses = () => Promise.reject(new Error('looked up'));
  const agents = createGuardedAgents(onlyMachine, never);
  expect(await ask(agents, '127.1')).toBe(`for 127.0.0.1:${port}`);
  for (const host of ['169.254.169.254', '[fe80::1]', '8.8.8.8', '[::ffff:169.254.169.254]'])
    await expect(agents.agentFor(new URL(`https://${host}/`)), host).rejects.toThrow('not ');
  expect(await addressesOf('[::1]', never)).toEqual([{ address: '::1', family: 6 }]);
  agents.destroy();
});

test('isLoopback accepts only names and addresses of this machine', () => {
  const own = ['localhost', 'LOCALHOST.', '127.0.0.1', '127.8.9.10', '::1', '[::1]', '::ffff:127.0.0.1'];
  expect(own.filter((host) => !isLoopback(host))).toEqual([]);
  const others = ['', '0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example', 'localhost.example', 'xlocalhost', '::ffff:8.8.8.8', '1127.0.0.1'];
  expect(others.filter(isLoopback)).toEqual([]);
});
