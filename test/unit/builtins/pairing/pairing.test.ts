// Tests pairing over HTTP: one token per code, listing and revoking devices, and rate limiting of guesses.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { rawRequest, type RawReply } from '../../../helpers/raw-request.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness({ builtins: ['model-demo', 'pairing', 'web-ui'] });
});
afterEach(() => void vi.restoreAllMocks());

const begin = async (): Promise<any> => (await harness.call('POST', '/api/pair/begin', {})).body;
const pair = (code: string, deviceName = 'Phone'): Promise<RawReply> =>
  rawRequest(harness.url, 'POST', '/api/pair', { 'content-type': 'application/json' }, JSON.stringify({ code, deviceName }));
const as = (token: string, method = 'GET', path = '/api/chats'): Promise<RawReply> =>
  rawRequest(harness.url, method, path, { authorization: `Bearer ${token}` });
const list = async (): Promise<any> => (await harness.call('GET', '/api/pair/devices')).body;
const wrong = [403, 'code_wrong'];
const outcome = ({ status, body }: RawReply): unknown[] => [status, body?.error?.code];

test('exchanges a code for a token', async () => {
  const { code, expiresAt, address, urls, localOnly } = await begin();
  expect(code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(290_000);
  expect([address, urls, localOnly]).toEqual([`${harness.url}/#/pair/${code}`, [harness.url], true]);
  expect((await list()).openUntil).toBe(expiresAt);
  const { status, body } = await pair(code);
  expect(status).toBe(200);
  expect(body).toEqual({
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    device: { id: expect.any(String), name: 'Phone', role: 'chat', createdAt: expect.any(String) },
  });
  expect((await as(body.token)).status).toBe(200);
  expect(await list()).toEqual({ devices: [{ ...body.device, lastSeenAt: expect.any(String) }], openUntil: null, ways: [], network: 'closed' });
});

test('lists the new device as soon as its code is used up', async () => {
  for (let round = 0; round < 5; round++) {
    const { code } = await begin();
    const paired = pair(code, `Phone ${round}`);
    const seen: any[] = [];
    while (seen.at(-1)?.openUntil !== null) seen.push(await list());
    expect(seen.at(-1).devices.map(({ name }: any) => name)).toContain(`Phone ${round}`);
    await paired;
  }
});

test('accepts a code in lower case and with a dash', async () => {
  const { code } = await begin();
  expect((await pair(` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`)).status).toBe(200);
});

test('stores a token hashed, accepts it after a restart, and never returns the web token', async () => {
  const { body } = await pair((await begin()).code);
  expect(body.token).not.toBe(harness.token);
  await harness.close({ keepFiles: true });
  const file = await readFile(join(harness.home, 'paired_devices.json'), 'utf8');
  expect(file).toContain('Phone');
  expect(file).not.toContain(body.token);
  harness = await startHarness({ builtins: ['model-demo', 'pairing', 'web-ui'], home: harness.home, workspace: harness.workspace });
  expect((await as(body.token)).status).toBe(200);
  const config = await rawRequest(harness.url, 'GET', '/api/config', { authorization: `Bearer ${body.token}`, 'sec-fetch-site': 'cross-site' });
  expect(config.status).toBe(200);
  expect(config.text).not.toContain(harness.token);
});

test('reduces a device name to one line without control characters', async () => {
  const { body } = await pair((await begin()).code, '  My\u001b[2J\u202e\n Phone  ');
  expect(body.device.name).toBe('My [2J Phone');
  const { body: nameless } = await pair((await begin()).code, '\u200b');
  expect(nameless.device.name).toBe('Device');
});

test('rejects a revoked device immediately, ends its stream, and leaves other devices connected', async () => {
  const lost = (await pair((await begin()).code, 'Lost')).body;
  const remaining = (await pair((await begin()).code, 'Kept')).body;
  const stream = await fetch(`${harness.url}/api/stream`, { headers: { authorization: `Bearer ${lost.token}` } });
  expect((await harness.call('DELETE', `/api/pair/devices/${lost.device.id}`)).body).toEqual({ ok: true });
  expect(await stream.text()).toContain('connected'); // The stream has ended.
  expect([(await as(lost.token)).status, (await as(remaining.token)).status]).toEqual([401, 200]);
  expect((await list()).devices.map((device: any) => device.name)).toEqual(['Kept']);
  const again = await harness.call('DELETE', `/api/pair/devices/${lost.device.id}`);
  expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
});

describe('pairing attacks', () => {
  test('rejects a used, a superseded and an expired code', async () => {
    const first = (await begin()).code;
    const second = (await begin()).code;
    expect(outcome(await pair(first))).toEqual(wrong);
    expect((await pair(second)).status).toBe(200);
    expect(outcome(await pair(second))).toEqual(wrong);
    const third = (await begin()).code;
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 5 * 60_000 + 1);
    expect((await list()).openUntil).toBeNull();
    expect(outcome(await pair(third))).toEqual(wrong);
  });

  test('rejects any code when no pairing is open', async () => {
    expect(outcome(await pair('AAAAAAAA'))).toEqual(wrong);
    expect(outcome(await pair('-'))).toEqual(wrong);
    expect((await pair('')).status).toBe(400);
  });

  test('returns 429 after ten wrong codes, also for the right code and other tokens, but not for the owner', async () => {
    const { code } = await begin();
    for (let n = 0; n < 10; n++) expect(outcome(await pair(`AAAAAAA${n}`))).toEqual(wrong);
    const late = await pair(code);
    expect(outcome(late)).toEqual([429, 'too_many_attempts']);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    expect(outcome(await as('0'.repeat(64)))).toEqual([429, 'too_many_attempts']);
    expect((await as(harness.token)).status).toBe(200);
    expect((await list()).devices).toEqual([]);
  });

  test('allows no more than ten guesses in parallel requests', async () => {
    await begin();
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => pair(`BBBBBB${n + 10}`)));
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('issues one token for a code sent in parallel requests', async () => {
    const { code } = await begin();
    const replies = await Promise.all(Array.from({ length: 8 }, () => pair(code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await list()).devices).toHaveLength(1);
  });

  test('does not count correct codes as attempts', async () => {
    for (let n = 0; n < 12; n++) expect((await pair((await begin()).code)).status).toBe(200);
  });
});
