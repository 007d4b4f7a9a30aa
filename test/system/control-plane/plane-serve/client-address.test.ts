import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress, readNetworks } from '../../../../builtins/control-plane/plane-serve/client-address.ts';

const ask = (peer: string, forwarded: string | undefined, { isBehindProxy = true, networks = new BlockList() } = {}): string =>
  clientAddress({ peer, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }, { isBehindProxy, networks });

test('takes the nearest untrusted address from X-Forwarded-For behind a local proxy', () => {
  expect(ask('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(ask('::1', '10.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
  expect(ask('127.0.0.1', '127.0.0.1, 203.0.113.9, 127.0.0.1')).toBe('203.0.113.9');
  expect(ask('127.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9');
  expect(ask('127.0.0.1', '[2001:db8::7]:443')).toBe('2001:db8::7');
});

test('takes the socket address if the peer is no trusted proxy or the header holds no address', () => {
  expect(ask('198.51.100.4', '203.0.113.9')).toBe('198.51.100.4');
  expect(ask('127.0.0.1', '203.0.113.9', { isBehindProxy: false })).toBe('127.0.0.1');
  expect(ask('127.0.0.1', undefined)).toBe('127.0.0.1');
  expect(ask('127.0.0.1', 'unknown')).toBe('127.0.0.1');
  expect(ask('127.0.0.1', ', ,')).toBe('127.0.0.1');
});

test('trusts proxies in the listed networks and reports an invalid network', () => {
  const { networks, fault } = readNetworks('10.0.0.0/8, 2001:db8::/32 ,192.0.2.7');
  expect(fault).toBeUndefined();
  expect(ask('10.3.4.5', '203.0.113.9', { networks })).toBe('203.0.113.9');
  expect(ask('192.0.2.7', '198.51.100.1, 10.9.9.9', { networks })).toBe('198.51.100.1');
  expect(ask('192.0.2.8', '203.0.113.9', { networks })).toBe('192.0.2.8');
  for (const part of ['ten', '10.0.0.0/33', '10.0.0.0/x', '::/129']) expect(readNetworks(`192.0.2.7, ${part}`).fault).toBe(part);
});
