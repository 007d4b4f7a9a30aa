// Tests the host side of remote pairing with a phone without a page: permissions, malformed requests, and a hostile relay.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { openPhone, pairPhone, type PairedPhone, type OpenPhone, type Relaying } from '../../helpers/phone-link.ts';
import { useSignedInHome } from './signed-in-home.ts';

const { home, plane, start: startOn } = useSignedInHome();
const start = (): Promise<Harness> => startOn({ builtins: ['model-demo', 'hub', 'pairing', 'pairing-outside', 'web-ui', 'desktop-protocol'] });
let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.close());

// Each paired device is a relay session, and a person is limited to sixteen.
afterEach(async () => {
  for (const { id } of (await harness.call('GET', '/api/pair/devices')).body.devices) await harness.call('DELETE', `/api/pair/devices/${id}`);
});

async function offer(role?: string): Promise<string> {
  return (await harness.call('POST', '/api/pair/begin', { way: 'outside', ...(role === undefined ? {} : { role }) })).body.address;
}
function come(paired: PairedPhone, relaying?: Relaying): OpenPhone {
  const phone = openPhone(plane.url, paired, relaying);
  onTestFinished(() => phone.link.close());
  return phone;
}

test('grants a remote phone the permissions of its role, but never the owner token or the WebSocket', async () => {
  const chat = come(await pairPhone(await offer()));
  expect((await chat.call('GET', '/api/status')).status).toBe(200);
  for (const [method, path, body] of [
    ['POST', '/api/approve', { approvalId: 'appr_1', decision: 'approve' }],
    ['PUT', '/api/settings', {}],
    ['POST', '/api/pair/begin', {}],
    ['POST', '/api/chats', {}],
  ] as const)
    expect([path, (await chat.call(method, path, body)).status]).toEqual([path, 403]);
  const view = come(await pairPhone(await offer('view')));
  expect((await view.call('POST', '/api/message', { text: 'no' })).status).toBe(403);
  expect((await view.call('GET', '/api/chats')).status).toBe(200);
  const full = come(await pairPhone(await offer('full')));
  // Full access, except for secrets that only a local client receives.
  expect((await full.call('GET', '/api/pair/devices')).body.devices.length).toBeGreaterThanOrEqual(3);
  expect((await full.call('GET', '/api/config')).body).not.toHaveProperty('webAuthToken');
  await expect(full.fetch(`${plane.url}/api/ws`, { headers: { upgrade: 'websocket', connection: 'upgrade' } }).then(({ status }) => status)).resolves.toBe(404);
}, 60_000);

test('accepts an address once and rejects foreign tokens, paths outside the API and forged headers', async () => {
  const address = await offer('full');
  const paired = await pairPhone(address);
  await expect(pairPhone(address)).rejects.toThrow();
  const other = await pairPhone(await offer('full'));
  for (const token of [other.token, '', harness.token]) {
    const phone = come({ ...paired, token });
    await expect.poll(() => phone.states.at(-1)).toEqual(['over', 'revoked']);
  }
  const phone = come(paired);
  const exchanges = await phone.link.ready(15_000);
  const answer = (head: object): Promise<unknown> =>
    new Promise((resolve) => {
      const exchange = exchanges!.open({ head: resolve, data: () => undefined, end: () => undefined, reset: () => resolve('reset') });
      exchange.head(head as Record<string, unknown>);
      exchange.end();
    });
  for (const path of [
    '/',
    '/api',
    'http://127.0.0.1/api/config',
    '//127.0.0.1/api/',
    '/api/config\r\nx-app-token: 1',
    '/assets/index.js',
    '/manifest.webmanifest',
  ])
    expect([path, await answer({ method: 'GET', path, headers: {} })]).toEqual([path, 'reset']);
  expect(await answer({ method: 'CONNECT', path: '/api/config', headers: {} })).toBe('reset');
  // Identity headers are not forwarded.
  const forged = { host: 'evil.test', origin: 'https://evil.test', authorization: 'Bearer no', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4' };
  expect(await answer({ method: 'GET', path: '/api/status', headers: forged })).toMatchObject({ status: 200 });
}, 60_000);

test('transfers large bodies in both directions alongside small requests', async () => {
  const phone = come(await pairPhone(await offer('full')));
  const text = 'x'.repeat(700_000);
  const [large, small] = await Promise.all([phone.call('POST', '/api/message', { text: `${text}y` }), phone.call('GET', '/api/status')]);
  expect([large.status, small.status]).toEqual([202, 200]);
  const { chatId } = (await harness.call('GET', '/api/workspace/current')).body;
  const read = async (): Promise<string> => JSON.stringify((await phone.call('GET', `/api/chats/${chatId}/transcript`)).body);
  await expect.poll(read, { timeout: 20_000 }).toContain(`${text}y`);
}, 60_000);

// The tests of the tunnel cover all other modifications.
const changed = (message: Uint8Array): Uint8Array => message.map((byte, at) => (at === message.length - 1 ? byte ^ 1 : byte));

test('ends the link on a changed host packet, reconnects with new keys and loses nothing', async () => {
  let isOn = false;
  let done = 0;
  const phone = come(await pairPhone(await offer('full')), async (path, init, ask) => {
    const reply = await ask(path, init);
    if (!isOn || !path.includes('/poll') || reply.status !== 200) return reply;
    isOn = false;
    done++;
    return new Response(Buffer.from(changed(new Uint8Array(await reply.arrayBuffer()))), reply);
  });
  await phone.call('GET', '/api/status');
  expect(phone.greeted).toBe(1);
  isOn = true;
  await phone.call('GET', '/api/status').catch(() => undefined);
  expect((await phone.call('GET', '/api/status')).status).toBe(200);
  expect([done, phone.greeted]).toEqual([1, 2]);
}, 60_000);

test('ignores a changed phone message and ends the link', async () => {
  let isOn = false;
  const phone = come(await pairPhone(await offer('full')), async (path, init, ask) => {
    if (!isOn || !path.endsWith('/input') || !(init?.body instanceof Uint8Array)) return ask(path, init);
    isOn = false;
    return ask(path, { ...init, body: Buffer.from(changed(init.body)) });
  });
  await phone.call('GET', '/api/status');
  isOn = true;
  const before = phone.greeted;
  await phone.call('POST', '/api/chats', { title: 'forged' }).catch(() => undefined);
  await expect.poll(() => phone.greeted, { timeout: 20_000 }).toBe(before + 1);
  const { chats } = (await phone.call('GET', '/api/chats')).body;
  expect(chats.filter(({ title }: { title: string }) => title === 'forged')).toEqual([]);
}, 60_000);

test('ends the streams of a revoked phone, removes its link and reports a missing account when pairing', async () => {
  const paired = await pairPhone(await offer('full'));
  const phone = come(paired);
  const stream = await phone.fetch(`${plane.url}/api/stream?chatId=all`);
  const reader = stream.body!.getReader();
  await reader.read();
  const [{ id }] = (await harness.call('GET', '/api/pair/devices')).body.devices.slice(-1);
  await harness.call('DELETE', `/api/pair/devices/${id}`);
  const rest = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  await rest().catch(() => undefined);
  await expect.poll(() => phone.states.at(-1)).toEqual(['over', 'revoked']);
  await expect.poll(async () => (await readFile(join(home, 'outside_links.json'), 'utf8')).includes(id)).toBe(false);
  const plain = await startHarness({ builtins: ['model-demo', 'hub', 'pairing', 'pairing-outside'] });
  onTestFinished(async () => void (await plain.close()));
  const refused = await plain.call('POST', '/api/pair/begin', { way: 'outside' });
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    409,
    'way_unavailable',
    expect.stringContaining('requires a Pro account'),
  ]);
  expect((await plain.call('GET', '/api/pair/devices')).body.ways).toEqual([]);
}, 60_000);

test('disconnects phones when the plugin is disabled and reconnects them when it is enabled', async () => {
  const phone = come(await pairPhone(await offer('view')));
  expect((await phone.call('GET', '/api/status')).status).toBe(200);
  const put = (disabled: boolean): Promise<{ status: number }> => harness.call('PUT', '/api/plugins/pairing-outside', { disabled });
  expect((await put(true)).status).toBe(200);
  await expect.poll(() => phone.link.exchanges, { timeout: 20_000 }).toBe(undefined);
  expect((await put(false)).status).toBe(200);
  await expect.poll(() => phone.greeted, { timeout: 40_000 }).toBe(2);
  expect((await phone.call('GET', '/api/status')).status).toBe(200);
}, 90_000);

test('reconnects a phone after a host restart and ignores replayed messages', async () => {
  const sent: { readonly path: string; readonly init: RequestInit }[] = [];
  const paired = await pairPhone(await offer('full'));
  const phone = come(paired, async (path, init, ask) => {
    if (path.endsWith('/input') && init) sent.push({ path, init });
    return ask(path, init);
  });
  expect((await phone.call('POST', '/api/chats', { title: 'said before' })).status).toBe(201);
  await harness.close({ keepFiles: true });
  harness = await start();
  await expect.poll(() => phone.greeted, { timeout: 40_000 }).toBe(2);
  const titled = async (): Promise<number> =>
    ((await harness.call('GET', '/api/chats')).body.chats as { title: string }[]).filter(({ title }) => title === 'said before').length;
  expect(await titled()).toBe(1);
  for (const { path, init } of sent) await fetch(path, init).catch(() => undefined);
  expect((await phone.call('GET', '/api/status')).status).toBe(200);
  expect(await titled()).toBe(1);
}, 90_000);
