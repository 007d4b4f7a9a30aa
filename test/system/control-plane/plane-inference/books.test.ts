// Tests audio billing, receipts, statements, member caps, and the operator commands.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addMember } from '../../../helpers/plane.ts';
import { startRig, startSoundServer, wave, type Rig } from './kit.ts';

const question = { model: 'scripted', messages: [{ role: 'user', content: 'Hello!' }] };
const path = '/api/inference/v1/chat/completions';
const ask = (rig: Rig, token: string, headers = {}): ReturnType<Rig['plane']['call']> => rig.plane.call('POST', path, { token, body: question, headers });

test('bills speech by characters, and transcription by the reported duration or an estimate', async () => {
  const answers = ['{"text":"hi","duration":90}', '{"text":"hi"}', '{"text":"hi"}'];
  const url = await startSoundServer((at) =>
    at.endsWith('/speech') ? { type: 'audio/mpeg', body: Buffer.from([1, 2, 3]) } : { type: 'application/json', body: answers.shift() ?? '' },
  );
  const rig = await startRig([], { environment: { HUB_UPSTREAM_BASE_URL: url } });
  const { token } = rig.member;
  const speech = await fetch(`${rig.plane.url}/api/inference/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', input: 'Grüß dich', voice: 'a' }),
  });
  expect([...new Uint8Array(await speech.arrayBuffer())]).toEqual([1, 2, 3]);
  const transcribe = async (bytes: Buffer): Promise<void> => {
    const form = new FormData();
    form.append('model', 'scripted');
    form.append('file', new Blob([new Uint8Array(bytes)]), 'clip');
    const reply = await fetch(`${rig.plane.url}/api/inference/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(reply.status).toBe(200);
  };
  await transcribe(Buffer.alloc(60_000));
  await transcribe(wave(2));
  await transcribe(Buffer.alloc(80_000));
  const receipts = await rig.settled(4);
  expect(receipts.map(({ kind, units, amountMicro, basis }) => [kind, units, amountMicro, basis].join(' ')).sort()).toEqual([
    'speech 9 135 usage',
    'transcription 10000 1000 estimate',
    'transcription 2002 201 usage',
    'transcription 90000 9000 usage',
  ]);
  const odd = await rig.plane.call('POST', '/api/inference/v1/audio/transcriptions', { token, body: { model: 'scripted' } });
  expect(odd).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('returns receipts in pages: own ones for members, all for admins, none of another organisation', async () => {
  const rig = await startRig([{ text: 'ok', usage: { input: 10, output: 10 }, always: true }]);
  const bob = await addMember(rig.plane, { email: 'bob@example.org', role: 'member' });
  for (const token of [rig.member.token, rig.member.token, bob.token]) await ask(rig, token, { 'x-hub-purpose': 'heartbeat' });
  await rig.settled(3);
  const read = async (token: string, query = ''): Promise<any> => (await rig.plane.call('GET', `/api/inference/receipts${query}`, { token })).body;
  expect((await read(bob.token)).receipts).toMatchObject([{ userId: bob.member.person.id, amountMicro: 30, purpose: 'heartbeat' }]);
  expect((await read(bob.token, `?userId=${rig.member.member.person.id}`)).receipts).toHaveLength(1);
  const first = await read(rig.member.token, '?limit=2');
  expect(first.receipts).toHaveLength(2);
  const second = await read(rig.member.token, `?limit=2&before=${first.cursor}`);
  expect(second.receipts).toHaveLength(1);
  expect(second).not.toHaveProperty('cursor');
  const foreign = await addMember(rig.plane, { email: 'tom@example.org', role: 'owner', org: 'Other' });
  expect((await read(foreign.token)).receipts).toEqual([]);
  expect((await rig.plane.call('GET', '/api/inference/wallet', { token: foreign.token })).body).toMatchObject({ capMicro: 0, usedMicro: 0 });
});

test('returns a statement that adds up to the wallet exactly, as CSV and NDJSON', async () => {
  const rig = await startRig((request) => ({ text: 'ok', usage: { input: 3 + request.index, output: 7, cost: 0.0000011 * request.index } }));
  for (let index = 0; index < 12; index++) await ask(rig, rig.member.token);
  await rig.settled(12);
  const { usedMicro } = await rig.wallet();
  const lines = async (format: string): Promise<{ rows: string[]; headers: Headers }> => {
    const { body, headers } = await rig.plane.call('GET', `/api/inference/statement?format=${format}`, {
      token: rig.member.token,
      headers: { accept: 'text/plain' },
    });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { rows: text.trim().split(/\r?\n/), headers };
  };
  const csv = await lines('csv');
  const at = csv.rows[0]?.split(',').indexOf('amountMicro') ?? -1;
  expect(csv.rows.slice(1).reduce((sum, row) => sum + Number(row.split(',')[at]), 0)).toBe(usedMicro);
  expect(csv.headers.get('x-hub-total-micro')).toBe(String(usedMicro));
  const text = await (
    await fetch(`${rig.plane.url}/api/inference/statement?format=ndjson`, { headers: { authorization: `Bearer ${rig.member.token}` } })
  ).text();
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.reduce((sum, { amountMicro }) => sum + amountMicro, 0)).toBe(usedMicro);
  const bob = await addMember(rig.plane, { email: 'bob@example.org', role: 'member' });
  expect((await rig.plane.call('GET', '/api/inference/statement', { token: bob.token })).status).toBe(403);
});

test('limits a member to the cap an owner set, without affecting other members', async () => {
  const rig = await startRig([{ text: 'ok', usage: { input: 10, output: 10 }, always: true }]);
  const bob = await addMember(rig.plane, { email: 'bob@example.org', role: 'member' });
  const share = (cookie: string, body: object, id = bob.member.person.id): ReturnType<Rig['plane']['call']> =>
    rig.plane.call('PUT', `/api/inference/wallet/members/${id}`, { cookie, body });
  expect((await share(bob.cookie, { capMicro: 1_000_000 })).status).toBe(403);
  expect((await share(rig.member.cookie, { capMicro: 100 })).status).toBe(200);
  expect(await ask(rig, bob.token)).toMatchObject({ status: 402, body: { error: { message: expect.stringContaining('your share of the wallet') } } });
  expect((await ask(rig, rig.member.token)).status).toBe(200);
  const { body } = await rig.plane.call('GET', '/api/inference/wallet', { token: bob.token });
  expect(body.member).toEqual({ capMicro: 100, usedMicro: 0, heldMicro: 0, remainingMicro: 100 });
  const capped = (token: string): ReturnType<Rig['plane']['call']> => rig.plane.call('GET', '/api/inference/wallet/members', { token });
  expect((await capped(rig.member.token)).body).toEqual({ members: [{ userId: bob.member.person.id, capMicro: 100, usedMicro: 0, heldMicro: 0 }] });
  expect((await capped(bob.token)).status).toBe(403);
  expect((await rig.plane.call('GET', '/api/team/audit/events?kind=member_cap_changed', { token: rig.member.token })).body.events).toMatchObject([
    { userId: rig.member.member.person.id, metrics: { email: 'bob@example.org', capMicro: 100 } },
  ]);
  expect((await share(rig.member.cookie, { capMicro: null })).status).toBe(200);
  expect((await capped(rig.member.token)).body).toEqual({ members: [] });
  expect((await ask(rig, bob.token)).status).toBe(200);
  expect((await share(rig.member.cookie, { capMicro: 1 }, 'user_01J00000000000000000000000')).status).toBe(400);
});

test('sets wallets and prices on the command line and rejects invalid arguments', async () => {
  const rig = await startRig([{ text: 'ok', always: true }]);
  const commands = rig.plane.kernel.resolve('commands');
  const run = async (...argv: string[]): Promise<{ code: number; text: string }> => {
    let text = '';
    const output = { out: (one: string) => void (text += one), err: (one: string) => void (text += one), lines: async function* () {}, isTerminal: false };
    return { code: await commands.runCli(argv, output, new AbortController().signal), text };
  };
  expect(await run('wallet', '--org', 'Acme', '--cap', '12.5', '--period', 'none')).toEqual({
    code: 0,
    text: 'Acme: 12.5 of 12.5 credits left (0 used, 0 reserved)\n',
  });
  expect(await rig.wallet()).toMatchObject({ capMicro: 12_500_000, periodEnd: null });
  expect(await run('wallet', '--org', rig.orgId)).toMatchObject({ code: 0 });
  for (const [says, ...wrong] of [
    ["There is no organisation 'Nobody'.", '--org', 'Nobody'],
    ["'x' is not a number of credits", '--org', 'Acme', '--cap', 'x'],
    ["There is no period 'day'. Use month or none.", '--org', 'Acme', '--period', 'day'],
    ["'Mars/Base' is not a time zone", '--org', 'Acme', '--zone', 'Mars/Base'],
    ['The organisation is missing. Add --org'],
  ] as const) {
    const { code, text } = await run('wallet', ...wrong);
    expect(code).not.toBe(0);
    expect(text).toContain(`: ${says}`);
    expect(text).toContain('PLANE_INFERENCE_ERR_WRONG_USE');
  }
  const file = join(rig.plane.home, 'prices.json');
  await writeFile(file, JSON.stringify({ new: { inputPerMillion: 3, outputPerMillion: 15, cachedPerMillion: 0.3 }, scripted: null }));
  expect(await run('prices', file)).toEqual({ code: 0, text: 'Changed: new, scripted\n' });
  expect(await run('prices', file)).toEqual({ code: 0, text: 'Nothing changed.\n' });
  expect((await run('prices')).text).toBe('new {"inputPerMillion":3,"cachedPerMillion":0.3,"outputPerMillion":15}\n');
  expect(await ask(rig, rig.member.token)).toMatchObject({ status: 422 });
  for (const wrong of ['[]', '{"m":{}}', '{"m":{"inputPerMillion":-1,"outputPerMillion":1}}', '{"m":{"perToken":1}}', 'x']) {
    await writeFile(file, wrong);
    const { code, text } = await run('prices', file);
    expect(code).not.toBe(0);
    expect(text).toMatch(/The prices cannot be read/); // PLANE_INFERENCE_ERR_PRICES
  }
});

test('reports the uncovered cost of a call in the log, the metrics, the status findings and doctor', async () => {
  const rig = await startRig([{ text: 'Hello', usage: { input: 30, output: 5_000 } }], { credits: 0.001 });
  expect((await ask(rig, rig.member.token)).status).toBe(200);
  const [{ amountMicro, uncoveredMicro }] = await rig.settled(1);
  expect([amountMicro, uncoveredMicro > 0]).toEqual([1_000, true]);
  const uncovered = `${uncoveredMicro / 1_000_000} credits`;
  const logged = (): string[] => rig.plane.logs.filter((line) => line.includes('more than its wallet could pay'));
  // The line is logged after the settlement is stored.
  await expect.poll(logged).toEqual([expect.stringContaining(uncovered)]);
  expect((await rig.plane.call('GET', '/metrics')).body).toContain(`\nplane_inference_uncovered_micro_credits_total ${uncoveredMicro}\n`);
  const { findings } = (await rig.plane.call('GET', '/api/enterprise/self_host/status', { token: rig.member.token })).body;
  expect(findings.find(({ name }: any) => name === 'inference-uncovered')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining(`${uncovered} of 1 call`),
  });
  expect((await rig.plane.run('doctor')).said).toContain(uncovered);
});
