// Tests abuse of the inference proxy by members: ambiguous requests, oversized limits, forged audio, misused tokens.
import { expect, test } from 'vitest';
import { addMember } from '../../../helpers/plane.ts';
import { startRig, startSoundServer, wave, type Rig } from './kit.ts';

const path = '/api/inference/v1/chat/completions';
const messages = [{ role: 'user', content: 'Hi.' }];

/** Sends the body verbatim, so it may contain JSON that JSON.stringify never produces. */
async function post({ plane, member }: Rig, to: string, body: string | FormData): Promise<{ status: number; body: any }> {
  const json = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
  const reply = await fetch(plane.url + to, { method: 'POST', headers: { authorization: `Bearer ${member.token}`, ...json }, body });
  return { status: reply.status, body: await reply.json().catch(() => undefined) };
}

function form(file: Buffer, ...models: readonly string[]): FormData {
  const made = new FormData();
  for (const model of models) made.append('model', model);
  made.append('file', new Blob([new Uint8Array(file)]), 'a.wav');
  return made;
}

test('rejects a duplicate field, which the provider might read differently', async () => {
  const rig = await startRig([]);
  const twice = { status: 400, body: { error: { code: 'invalid_request' } } };
  expect(await post(rig, path, `{"model":"dear","messages":${JSON.stringify(messages)},"mod\\u0065l":"scripted"}`)).toMatchObject(twice);
  expect(await post(rig, '/api/inference/v1/audio/speech', '{"model":"scripted","input":"a long text","input":"a"}')).toMatchObject(twice);
  expect(await post(rig, '/api/inference/v1/audio/transcriptions', '{"model":"dear","model":"scripted","input_audio":{"data":"AAAA"}}')).toMatchObject(twice);
  expect(await post(rig, '/api/inference/v1/audio/transcriptions', form(wave(1), 'scripted', 'dear'))).toMatchObject(twice);
  expect(rig.model.requests).toEqual([]);
  expect(await rig.query('select 1 from inference_hold')).toEqual([]);
});

test('rejects a deeply nested body and serves the next request', async () => {
  const rig = await startRig([{ text: 'ok', always: true }]);
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect((await post(rig, path, `{"model":"scripted","messages":[${deep}]}`)).status).toBe(400);
  expect((await post(rig, path, JSON.stringify({ model: 'scripted', messages }))).status).toBe(200);
});

test('rejects an unaffordable token limit without affecting concurrent requests', async () => {
  const rig = await startRig([{ text: 'ok', always: true }]);
  await rig.query(`insert into inference_price (model, valid_from, price) values ('dear', now() - interval '1 day', $1)`, [
    JSON.stringify({ inputPerMillion: 0.000001, outputPerMillion: 100_000 }),
  ]);
  const greedy = JSON.stringify({ model: 'dear', messages, max_tokens: Number.MAX_SAFE_INTEGER });
  const usual = JSON.stringify({ model: 'scripted', messages, max_tokens: 300 });
  const answers = await Promise.all([greedy, usual, greedy, usual].map((body) => post(rig, path, body)));
  expect(answers.map(({ status }) => status)).toEqual([402, 200, 402, 200]);
});

test('bills audio by its decoded length, not by its forged header', async () => {
  const url = await startSoundServer(() => ({ type: 'application/json', body: '{"text":"hi"}' }));
  const rig = await startRig([], { environment: { HUB_UPSTREAM_BASE_URL: url } });
  const cost = async (file: Buffer): Promise<number> => {
    const known = (await rig.receipts()).length;
    await post(rig, '/api/inference/v1/audio/transcriptions', form(file, 'scripted'));
    return (await rig.settled(known + 1))[0].amountMicro;
  };
  const honest = await cost(wave(30));
  expect(honest).toBe(3_001);
  expect(await cost(wave(30, { rate: 0xffff_ffff }))).toBe(honest);
  expect(await cost(wave(30, { samples: 0xffff_ffff }))).toBeGreaterThan(honest);
  expect(await cost(wave(30, { channels: 0xffff }))).toBeGreaterThan(honest);
});

test('accepts a session token for inference calls only', async () => {
  const rig = await startRig([{ text: 'ok', always: true }]);
  const { plane } = rig;
  const { token: license, cookie } = await addMember(plane, { email: 'amy@example.org', role: 'admin' });
  const asked = await plane.call('POST', '/api/inference/session', { cookie, headers: { origin: plane.url }, body: {} });
  expect(asked).toMatchObject({ status: 403, body: { error: { code: 'no_license' } } });
  const { token } = (await plane.call('POST', '/api/inference/session', { token: license, body: {} })).body;
  expect((await plane.call('GET', '/api/inference/v1/models', { token })).status).toBe(200);
  expect((await plane.call('POST', path, { token, body: { model: 'scripted', messages } })).status).toBe(200);
  const others = [
    ...['/api/account/me', '/api/orgs', '/api/team/org/members', '/api/team/memory/notes?workspace=global', '/api/team/audit/events', '/api/team/policy'],
    ...['/api/inference/wallet', '/api/inference/receipts', '/api/inference/statement', '/api/connectors', '/api/enterprise/package'],
  ];
  for (const other of others) expect((await plane.call('GET', other, { token })).status, other).toBe(403);
  for (const other of ['/api/inference/session', '/api/account/sign-out'])
    expect((await plane.call('POST', other, { token, body: {} })).status, other).toBe(403);
  expect((await plane.call('GET', '/api/account/me', { token: license })).status).toBe(200);
});

test('aborts a streamed answer when its member is removed and settles the call', async () => {
  const rig = await startRig([{ text: ['a', 'b', 'c'], stallAfter: 1 }], { environment: { HUB_DRAIN_MS: '0' } });
  const { plane } = rig;
  const { token, member } = await addMember(plane, { email: 'amy@example.org', role: 'member' });
  const reply = await fetch(plane.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', messages, stream: true }),
  });
  expect(reply.status).toBe(200);
  const { cookie } = rig.member;
  expect((await plane.call('DELETE', `/api/orgs/${rig.orgId}/members/${member.person.id}`, { cookie })).status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
  expect((await rig.settled(1))[0]).toMatchObject({ outcome: 'left', basis: 'estimate' });
});

test('rejects an invalid date', async () => {
  const { plane, member } = await startRig([]);
  for (const query of ['receipts?from=2026-99-99', 'receipts?to=2026-02-01T99:99', 'statement?from=2026-13-01'])
    expect((await plane.call('GET', `/api/inference/${query}`, { token: member.token })).body, query).toMatchObject({ error: { code: 'invalid_request' } });
});
