// Tests push notifications to browsers: content, recipients, and removal of subscriptions.
import { createECDH, randomBytes, type ECDH } from 'node:crypto';
import ece from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { startHarness, useAll } from '../../../helpers/in-process.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';

interface Pushed {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

let status = 201;
const pushed: Pushed[] = [];

const service = useAll(() =>
  startLocalServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      pushed.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      response.writeHead(status).end();
    });
  }),
);
const harness = useAll(() => startHarness({ environment: { AGENT_PUSH_OWN_SERVICES: `127.0.0.1:${service.port}` } }));

interface Browser {
  readonly keys: ECDH;
  readonly secret: Buffer;
  readonly path: string;
}

function newBrowser(path: string): Browser {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return { keys, secret: randomBytes(16), path };
}

const bodyOf = ({ keys, secret, path }: Browser, name = 'Firefox on Android') => ({
  endpoint: service.url + path,
  keys: { p256dh: keys.getPublicKey().toString('base64url'), auth: secret.toString('base64url') },
  name,
});

const read = ({ keys, secret }: Browser, { body }: Pushed): any =>
  JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: secret }).toString());

const of = ({ path }: Browser): Pushed[] => pushed.filter((one) => one.path === path);

async function ask(command: string): Promise<{ chatId: string; approvalId: string }> {
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  await harness.call('POST', '/api/message', { chatId, text: `run the command \`${command}\`` });
  const waiting = async (): Promise<any> => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals.find((one: any) => one.chatId === chatId);
  await expect.poll(waiting, { timeout: 10_000 }).toBeTruthy();
  return { chatId, approvalId: (await waiting()).approvalId };
}

test('sends an encrypted, VAPID-signed notification of a pending approval', async () => {
  const browser = newBrowser('/to/phone');
  const { body: given } = await harness.call('GET', '/api/push');
  const { status: answered, body } = await harness.call('POST', '/api/push', bodyOf(browser));
  expect([answered, body.failure, body.subscription.service]).toEqual([200, undefined, new URL(service.url).host]);
  expect(read(browser, of(browser)[0]!)).toMatchObject({ title: 'Notifications are on' });

  const { chatId, approvalId } = await ask('npm publish');
  await expect.poll(() => of(browser).length, { timeout: 10_000 }).toBe(2);
  const [, sent] = of(browser);
  expect(read(browser, sent!)).toEqual({ tag: approvalId, title: 'run_command waits for approval', body: expect.any(String), url: `/#/chat/${chatId}` });
  expect(sent!.body.includes('run_command')).toBe(false);
  expect([sent!.headers['urgency'], sent!.headers['content-encoding'], Number(sent!.headers['ttl']) > 0]).toEqual(['high', 'aes128gcm', true]);

  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(sent!.headers['authorization'])) ?? [];
  expect(key).toBe(given.publicKey);
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: service.url });
  expect(payload.sub).toBe('mailto:push@example.com');
  expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(86_400);
});

test('notifies of a finished turn only while no client has its chat open', async () => {
  const browser = newBrowser('/to/ended');
  await harness.call('POST', '/api/push', bodyOf(browser));
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  const left = new AbortController();
  await fetch(`${harness.url}/api/stream?chatId=${chatId}`, { headers: { authorization: `Bearer ${harness.token}` }, signal: left.signal });
  const say = async (text: string): Promise<void> => {
    await harness.call('POST', '/api/message', { chatId, text });
    const isBusy = (): boolean =>
      harness.kernel
        .resolve('turns')
        .statuses()
        .some((one) => one.chatId === chatId && one.busy);
    await expect.poll(isBusy, { timeout: 10_000 }).toBe(false);
  };
  await say('hello');
  left.abort();
  await expect.poll(() => harness.kernel.resolve('stream').isRead(chatId)).toBe(false);
  await say('hello again');
  await expect.poll(() => of(browser).length, { timeout: 10_000 }).toBe(2);
  expect(read(browser, of(browser)[1]!)).toMatchObject({ tag: expect.stringMatching(/^end turn_/), title: 'Done' });
});

test('removes a subscription that the push service reports as gone and keeps it after other errors', async () => {
  const browser = newBrowser('/to/gone');
  await harness.call('POST', '/api/push', bodyOf(browser));
  const own = async (): Promise<any[]> => (await harness.call('GET', '/api/push')).body.subscriptions;
  const before = (await own()).length;
  status = 500;
  const again = (await harness.call('POST', '/api/push', bodyOf(browser))).body;
  expect(again.failure).toContain('returned 500');
  expect(await own()).toHaveLength(before);
  status = 410;
  await harness.call('POST', '/api/push', bodyOf(browser));
  status = 201;
  expect((await own()).length).toBe(before - 1);
});

test('lets a paired device list and delete only its own subscription, and drops it on revocation', async () => {
  const { code } = (await harness.call('POST', '/api/pair/begin', { role: 'view' })).body;
  const { token, device } = (await harness.call('POST', '/api/pair', { code, deviceName: 'Phone' })).body;
  const asDevice = { authorization: `Bearer ${token}` };
  const browser = newBrowser('/to/device');
  const { subscription } = (await harness.call('POST', '/api/push', bodyOf(browser, 'Phone'), asDevice)).body;
  const seen = (await harness.call('GET', '/api/push', undefined, asDevice)).body.subscriptions;
  expect(seen.map((one: any) => [one.id, one.isOwn])).toEqual([[subscription.id, true]]);
  const foreign = (await harness.call('GET', '/api/push')).body.subscriptions.find((one: any) => one.isOwn);
  expect((await harness.call('DELETE', `/api/push/${foreign.id}`, undefined, asDevice)).status).toBe(404);

  await harness.call('DELETE', `/api/pair/devices/${device.id}`);
  const ids = async (): Promise<string[]> => (await harness.call('GET', '/api/push')).body.subscriptions.map((one: any) => one.id);
  await expect.poll(ids).not.toContain(subscription.id);
  const before = of(browser).length;
  const other = newBrowser('/to/other');
  await harness.call('POST', '/api/push', bodyOf(other));
  await ask('npm publish --again');
  await expect.poll(() => of(other).length, { timeout: 10_000 }).toBe(2);
  expect(of(browser)).toHaveLength(before);
});

test('rejects an invalid subscription and does not contact a push service on the private network', async () => {
  const browser = newBrowser('/to/nobody');
  const bad = [
    { ...bodyOf(browser), endpoint: 'http://192.0.2.1/push' },
    { ...bodyOf(browser), endpoint: 'not an address' },
    { ...bodyOf(browser), keys: { p256dh: 'AAAA', auth: 'AAAA' } },
  ];
  for (const body of bad) expect((await harness.call('POST', '/api/push', body)).body.error.code).toBe('bad_subscription');
  const inside = (await harness.call('POST', '/api/push', { ...bodyOf(browser), endpoint: 'https://127.0.0.1:1/push' })).body;
  expect(inside.failure).toContain('is in the local network');
  expect((await harness.call('DELETE', '/api/push/none')).status).toBe(404);
});

test("removes the owner's subscriptions when the server token is rotated", async () => {
  const browser = newBrowser('/to/owner');
  await harness.call('POST', '/api/push', bodyOf(browser));
  const token = await harness.kernel.resolve('webToken').rotate();
  const list = async (): Promise<any[]> => (await harness.call('GET', '/api/push', undefined, { authorization: `Bearer ${token}` })).body.subscriptions;
  await expect.poll(list).toEqual([]);
});
