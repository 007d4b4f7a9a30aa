// Tests the limits of the relay for hosts and remote viewers: guesses, sizes, counts, memory.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { proofOf } from '../../../../plugins/lib/relay-calls.ts';
import { createChannelStore, hostAbsenceMs } from '../../../../builtins/control-plane/plane-relay/channel-store.ts';
import { sha256 } from '../../../../plugins/lib/hash.ts';
import { addMember, startPlane } from '../../../helpers/plane.ts';
import { newCode } from '../../../helpers/relay.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const plane = useAll(() => startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '40', HUB_RELAY_MB: '1' } }));
const ann = useAll(() => addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' }));

const secret = new Uint8Array(randomBytes(32));
const newGuest = (): string => randomBytes(16).toString('base64url');
async function open(role = 'view', code = newCode(), token = ann.token) {
  const body = { code, role, proofHash: sha256(proofOf(secret, code)), ttlMs: 600_000 };
  const reply = await plane.call('POST', '/api/remote/sessions', { token, body });
  return { ...reply, code, session: reply.body.session as string };
}
const join = (code: string, guest = newGuest(), proof = proofOf(secret, code)) => plane.call('POST', '/api/remote/join', { body: { code, guest, proof } });
const close = (session: string) => plane.call('DELETE', `/api/remote/sessions/${session}`, { token: ann.token });
const bytesTo = async (path: string, token: string, bytes: Uint8Array) => {
  const reply = await fetch(plane.url + path, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: Buffer.from(bytes) });
  return { status: reply.status, body: await reply.json() };
};
const frame = (session: string, guest: string, number: number, bytes: Uint8Array) =>
  bytesTo(`/api/remote/frames?session=${session}&guest=${guest}&number=${number}`, ann.token, bytes);
/** Encodes messages as a remote viewer sends them: length, version and number, then the payload. */
const inputs = (...list: (readonly [number: number, size: number])[]): Buffer =>
  Buffer.concat(
    list.map(([number, size]) => {
      const message = Buffer.alloc(Math.max(13, 4 + size), 7);
      message.writeUInt32BE(size);
      message.writeUInt8(1, 4);
      message.writeBigUInt64BE(BigInt(number), 5);
      return message.subarray(0, 4 + size);
    }),
  );

test('limits a host to 16 sessions and a session to 16 viewers with unique names', async () => {
  const opened = [];
  for (let at = 0; at < 16; at++) opened.push(await open());
  expect(await open()).toMatchObject({ status: 429, body: { error: { code: 'too_many_sessions' } } });
  const [one] = opened;
  const guest = newGuest();
  expect((await join(one!.code, guest)).status).toBe(200);
  expect(await join(one!.code, guest)).toMatchObject({ status: 409, body: { error: { code: 'guest_taken' } } });
  for (let at = 1; at < 16; at++) expect((await join(one!.code.toLowerCase(), newGuest(), proofOf(secret, one!.code))).status).toBe(200);
  expect(await join(one!.code)).toMatchObject({ status: 429, body: { error: { code: 'too_many_guests' } } });
  for (const { session } of opened) expect((await close(session)).status).toBe(200);
  expect((await close(one!.session)).status).toBe(404);
});

test('rejects malformed, oversized, excessive or unnumbered messages and empty or oversized frames', async () => {
  const { code, session } = await open('control');
  const guest = newGuest();
  const { body } = await join(code, guest);
  const send = (bytes: Uint8Array) => bytesTo('/api/remote/input', body.token, bytes);
  for (const bytes of [
    Buffer.from([0, 0, 0]),
    inputs([1, 30]).subarray(0, 20),
    inputs([1, 8]),
    inputs([0, 30]),
    inputs(...Array.from({ length: 65 }, (_, at) => [at + 1, 30] as const)),
  ])
    expect(await send(bytes)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await send(inputs([1, 67 * 1024]))).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } });
  expect(await send(Buffer.alloc(5 * 66 * 1024))).toMatchObject({ status: 413 });
  expect(await send(inputs([1, 30], [2, 30]))).toEqual({ status: 200, body: { kept: 2 } });
  expect(await send(inputs([1, 30], [2, 30], [3, 30]))).toEqual({ status: 200, body: { kept: 1 } });
  expect(await frame(session, guest, 1, Buffer.alloc(0))).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await frame(session, guest, 1, Buffer.alloc(1024 * 1024 + 1))).toMatchObject({ status: 413 });
  expect(await frame(session, 'short', 1, Buffer.alloc(10))).toMatchObject({ status: 400 });
  await close(session);
});

test('rejects frames beyond its memory limit and keeps the stored frames', async () => {
  const { code, session } = await open();
  const [first, second] = [newGuest(), newGuest()];
  const { body } = await join(code, first);
  expect((await frame(session, first, 1, Buffer.alloc(700_000, 1))).status).toBe(200);
  expect(await frame(session, second, 1, Buffer.alloc(700_000, 2))).toMatchObject({ status: 503, body: { error: { code: 'busy' } } });
  expect((await frame(session, first, 2, Buffer.alloc(900_000, 3))).status).toBe(200);
  const reply = await fetch(`${plane.url}/api/remote/poll?after=0`, { headers: { authorization: `Bearer ${body.token}` } });
  expect([reply.headers.get('x-relay-host'), (await reply.arrayBuffer()).byteLength]).toEqual(['here', 900_000]);
  await close(session);
  const next = await open();
  expect((await frame(next.session, first, 1, Buffer.alloc(1_000_000))).status).toBe(200);
  await close(next.session);
});

test('limits code guesses per address, even for a correct code afterwards', async () => {
  const { code, session } = await open();
  const answers = await Promise.all(Array.from({ length: 200 }, () => join(newCode())));
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([404, 429]);
  expect(answers.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(40);
  // The correct code has to wait too, otherwise an attacker could still guess it.
  const late = await join(code);
  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  await close(session);
});

test('delivers a repeated frame of another node once, so that the next poll waits for the next frame', async () => {
  const board = createChannelStore(
    () => 8 * 1024 * 1024,
    { onWanting: () => undefined, onWanted: () => undefined },
    (reason) => new Error(reason) as never,
  );
  const guest = newGuest();
  const poll = (after: number): Promise<Buffer | undefined> =>
    board.poll('relay_1', guest, after, '127.0.0.1', { signal: new AbortController().signal, longest: 60_000 });
  const first = poll(4);
  board.deliver('relay_1', guest, 5, Buffer.from('five'));
  expect((await first)?.toString()).toBe('five');
  const second = poll(5);
  board.deliver('relay_1', guest, 5, Buffer.from('five'));
  board.deliver('relay_1', guest, 6, Buffer.from('six'));
  expect((await second)?.toString()).toBe('six');
  board.dispose();
});

test('bounds the memory of a node and forgets sessions without a host', async () => {
  let now = 0;
  const board = createChannelStore(
    () => 8 * 1024 * 1024,
    { onWanting: () => undefined, onWanted: () => undefined },
    (reason) => new Error(reason) as never,
    () => now,
  );
  const names = Array.from({ length: 40 }, newGuest);
  const refused = { guests: 0, frames: 0 };
  for (let session = 0; session < 30; session++) {
    for (const name of names) {
      try {
        board.post(`relay_${session}`, name, 1, Buffer.alloc(100_000));
        board.take(
          `relay_${session}`,
          name,
          '127.0.0.1',
          Array.from({ length: 100 }, (_, at) => [at + 1, Buffer.alloc(10_000)] as const),
        );
      } catch (fault) {
        refused[(fault as Error).message === 'BUSY' ? 'frames' : 'guests'] += 1;
      }
    }
  }
  const { bytes, sessions } = board.figures();
  expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(bytes).toBeGreaterThan(7 * 1024 * 1024);
  expect(sessions).toBe(30);
  expect(refused.guests).toBeGreaterThan(0);
  expect(refused.frames).toBeGreaterThan(0);
  now += hostAbsenceMs;
  board.sweep();
  expect(board.figures()).toEqual({ sessions: 0, bytes: 0 });
  board.dispose();
});
