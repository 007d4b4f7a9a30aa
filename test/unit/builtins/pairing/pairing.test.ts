// Pairing over HTTP: a code becomes a token once, devices are listed and revoked, and guessing is held off.
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

test('a code becomes a token', async () => {
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

test('whoever sees that a code is used up sees the device that used it', async () => {
  for (let round = 0; round < 5; round++) {
    const { code } = await begin();
    const paired = pair(code, `Phone ${round}`);
    const seen: any[] = [];
    while (seen.at(-1)?.openUntil !== null) seen.push(await list());
    expect(seen.at(-1).devices.map(({ name }: any) => name)).toContain(`Phone ${round}`);
    await paired;
  }
});

test('a code may be typed in small letters and with a dash', async () => {
  const { code } = await begin();
  expect((await pair(` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`)).status).toBe(200);
});

test('a token is kept hashed, outlives a restart, and is never the web token', async () => {
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

test('the name of a device is one line without anything that moves a cursor', async () => {
  const { body } = await pair((await begin()).code, '  My\u001b[2J\u202e\n Phone  ');
  expect(body.device.name).toBe('My [2J Phone');
  const { body: nameless } = await pair((await begin()).code, '\u200b');
  expect(nameless.device.name).toBe('Device');
});

test('a revoked device is out at once, its stream too, and others stay in', async () => {
  const lost = (await pair((await begin()).code, 'Lost')).body;
  const kept = (await pair((await begin()).code, 'Kept')).body;
  const stream = await fetch(`${harness.url}/api/stream`, { headers: { authorization: `Bearer ${lost.token}` } });
  expect((await harness.call('DELETE', `/api/pair/devices/${lost.device.id}`)).body).toEqual({ ok: true });
  expect(await stream.text()).toContain('connected'); // it ended
  expect([(await as(lost.token)).status, (await as(kept.token)).status]).toEqual([401, 200]);
  expect((await list()).devices.map((device: any) => device.name)).toEqual(['Kept']);
  const again = await harness.call('DELETE', `/api/pair/devices/${lost.device.id}`);
  expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
});

describe('an attacker', () => {
  test('cannot use a code twice, an older one, or one that has run out', async () => {
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

  test('cannot pair where nobody gave out a code, nor with an empty one', async () => {
    expect(outcome(await pair('AAAAAAAA'))).toEqual(wrong);
    expect(outcome(await pair('-'))).toEqual(wrong);
    expect((await pair('')).status).toBe(400);
  });

  test('is held off after ten wrong codes, also with the right one and other tokens, and its owner is not', async () => {
    const { code } = await begin();
    for (let n = 0; n < 10; n++) expect(outcome(await pair(`AAAAAAA${n}`))).toEqual(wrong);
    const late = await pair(code);
    expect(outcome(late)).toEqual([429, 'too_many_attempts']);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    expect(outcome(await as('0'.repeat(64)))).toEqual([429, 'too_many_attempts']);
    expect((await as(harness.token)).status).toBe(200);
    expect((await list()).devices).toEqual([]);
  });

  test('gets no more than ten guesses by sending many at once', async () => {
    await begin();
    const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => pair(`BBBBBB${n + 10}`)));
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('gets one token of a code that is sent many times at once', async () => {
    const { code } = await begin();
    const replies = await Promise.all(Array.from({ length: 8 }, () => pair(code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await list()).devices).toHaveLength(1);
  });

  test('right codes of honest devices do not use up the tries', async () => {
    for (let n = 0; n < 12; n++) expect((await pair((await begin()).code)).status).toBe(200);
  });
});
