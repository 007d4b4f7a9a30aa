// Tests the addresses of the server for paired devices, and when it may listen beyond loopback.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findOwnAddresses } from '../../../../plugins/lib/own-addresses.ts';
import { createDevices } from '../../../../builtins/account/pairing/device-store.ts';
import { useFolder } from '../../../helpers/use-opened.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { rawRequest } from '../../../helpers/raw-request.ts';

const home = useFolder('reach-');
let harness: Harness | undefined;

const net = (address: string, family = 'IPv4', internal = false) => ({ address, family, internal }) as never;
const interfaces = { lo: [net('127.0.0.1', 'IPv4', true)], eth: [net('fe80::1', 'IPv6'), net('fd00::5', 'IPv6'), net('192.168.1.5')], tun: [net('10.0.0.2')] };

test('lists the external addresses of this machine when bound to every address', () => {
  const all = { host: '0.0.0.0', port: 3001, url: 'http://127.0.0.1:3001' };
  expect(findOwnAddresses(all, interfaces)).toEqual({ urls: ['http://192.168.1.5:3001', 'http://10.0.0.2:3001'], isLocalOnly: false });
  expect(findOwnAddresses({ ...all, host: '::' }, interfaces).urls).toEqual(['http://192.168.1.5:3001', 'http://10.0.0.2:3001', 'http://[fd00::5]:3001']);
  expect(findOwnAddresses(all, {})).toEqual({ urls: ['http://127.0.0.1:3001'], isLocalOnly: true });
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3001', true],
  ['::1', 'http://[::1]:3001', true],
  ['localhost', 'http://localhost:3001', true],
  ['192.168.1.5', 'http://192.168.1.5:3001', false],
])('returns the bound address for %s', (host, url, isLocalOnly) => {
  expect(findOwnAddresses({ host, port: 3001, url }, interfaces)).toEqual({ urls: [url], isLocalOnly });
});

test('listens beyond loopback only once pairing is set up', async () => {
  harness = await startHarness({ builtins: ['model-demo', 'pairing'], listen: false });
  const http = harness.kernel.resolve('http');
  await expect(http.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'HTTP_ERR_BIND_REFUSED' });
  const { port } = await http.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${await harness.kernel.resolve('webToken').current()}`, 'content-type': 'application/json' };
  expect((await fetch(`http://127.0.0.1:${port}/api/pair/begin`, { method: 'POST', headers, body: '{}' })).status).toBe(200);
  await http.close();
  expect(await http.listen({ host: '0.0.0.0', port: 0 })).toMatchObject({ host: '0.0.0.0' });
  await http.close();
});

test('identifies no device by invalid entries in the device file', async () => {
  harness = await startHarness({ builtins: ['model-demo'], home, listen: false });
  const path = join(home, 'paired_devices.json');
  const storage = harness.kernel.resolve('storage');
  const createdAt = '2026-01-01T00:00:00.000Z';
  for (const devices of [null, 'x', [null, {}, { id: 'a', name: 'a', hash: '', createdAt }, { id: 'b', name: 'b', hash: 'zz', createdAt }]]) {
    await writeFile(path, JSON.stringify({ devices }));
    const found = createDevices({ services: { storage, product: harness.product }, warn: () => undefined });
    expect([await found.list(), await found.identify(''), await found.identify('a')]).toEqual([[], undefined, undefined]);
    if (!Array.isArray(devices)) continue;
    const { device } = await found.add('c', 'full');
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ devices: [device, ...devices] });
    await found.revoke(device.id);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ devices });
  }
});

test('rejects pairing without a listening server', async () => {
  harness = await startHarness({
    builtins: ['model-demo', 'pairing'],
    listen: false,
  });
  const { createPairingRoutes } = await import('../../../../builtins/account/pairing/routes.ts');
  const [begin] = createPairingRoutes({
    http: harness.kernel.resolve('http'),
    makeError: (reason: string) => Object.assign(new Error(reason), { code: `PAIRING_ERR_${reason}` }) as never,
  } as never);
  await expect(Promise.resolve(begin?.handle({ body: {} } as never))).rejects.toMatchObject({ code: 'PAIRING_ERR_NOT_SERVING' });
});

test('serves devices on an additional address with all checks, until it is switched off, also after a restart', async () => {
  const environment = { AGENT_PAIRING_ADDRESSES: '127.0.0.2' };
  const start = () => startHarness({ builtins: ['model-demo', 'pairing'], home, environment, listen: true });
  harness = await start();
  const { port } = harness.kernel.resolve('http').address()!;
  const at = `http://127.0.0.2:${port}`;
  const call = async (path: string, init: RequestInit = {}, base = at) =>
    fetch(base + path, init).then(
      ({ status }) => status,
      () => 'refused',
    );
  const begun = async () => (await harness!.call('POST', '/api/pair/begin', {})).body;
  expect(await begun()).toMatchObject({ localOnly: true });
  expect(await harness.call('GET', '/api/pair/devices')).toMatchObject({ body: { network: 'closed' } });
  expect(await call('/api/pair/devices')).toBe('refused');

  expect(await harness.call('PUT', '/api/pair/network', { isAllowed: true })).toMatchObject({ status: 200, body: { urls: [at] } });
  const { code, address, localOnly } = await begun();
  expect([address, localOnly]).toEqual([`${at}/#/pair/${code}`, false]);
  expect(await harness.call('GET', '/api/pair/devices')).toMatchObject({ body: { network: 'allowed' } });
  // The additional address requires a token and rejects foreign origins and host names; its connections are not local.
  expect(await call('/api/pair/devices')).toBe(401);
  expect(await call('/api/config')).toBe(401);
  const bearer = { authorization: `Bearer ${await harness.kernel.resolve('webToken').current()}` };
  expect(await call('/api/pair/devices', { headers: bearer })).toBe(200);
  expect(await call('/api/pair/devices', { headers: { ...bearer, origin: 'http://evil.example' } })).toBe(403);
  expect((await rawRequest(at, 'GET', '/api/pair/devices', { ...bearer, host: 'evil.example' })).body.error.code).toBe('host_not_allowed');

  await harness.close({ keepFiles: true });
  harness = await start();
  const again = harness.kernel.resolve('http').address()!.port;
  await expect.poll(() => call('/api/pair/devices', {}, `http://127.0.0.2:${again}`)).toBe(401);
  expect(await harness.call('PUT', '/api/pair/network', { isAllowed: false })).toMatchObject({ body: { urls: [] } });
  expect(await call('/api/pair/devices', {}, `http://127.0.0.2:${again}`)).toBe('refused');
  expect(await harness.call('GET', '/api/pair/devices')).toMatchObject({ body: { network: 'closed' } });
});

test('rejects an address that cannot be bound and stores nothing', async () => {
  // The server itself already uses this address.
  harness = await startHarness({ builtins: ['model-demo', 'pairing'], environment: { AGENT_PAIRING_ADDRESSES: '127.0.0.1' } });
  const refused = await harness.call('PUT', '/api/pair/network', { isAllowed: true });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'network_unavailable', message: expect.stringContaining('127.0.0.1') } } });
  expect(await harness.call('GET', '/api/pair/devices')).toMatchObject({ body: { network: 'closed' } });
});
