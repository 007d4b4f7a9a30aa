// Fuzzes frames: each frame with a valid id gets one reply, and none breaks the connection or the server.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { openDesktopSocket, type Reply } from '../../../helpers/desktop-socket.ts';
import { startHarness, useAll } from '../../../helpers/in-process.ts';
import { runs } from '../../../helpers/dice.ts';

const harness = useAll(() => startHarness());
const socket = useAll(() => openDesktopSocket(harness));

const reading = [
  ...['chats', 'chat', 'transcript', 'search_chats', 'status', 'config', 'settings', 'pending', 'subscribe', 'unsubscribe', 'ping', 'GET /api/chats/:id'],
  'stream',
];
const names = ['id', 'chatId', 'since', 'q', 'limit', 'before', 'archived', 'params', 'query', 'body', 'token', '__proto__', 'constructor', 'a b', ''];
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('..', '%2e', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', '\ud800', 1e21, -0, 2 ** 53),
);
const fields = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 4 }).map((some) => Object.fromEntries(some));
const command = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...reading) }, fc.string({ unit: 'binary' }), odd);
const frame = fc.record(
  { v: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, odd), command, data: fc.oneof({ weight: 4, arbitrary: fields }, odd), extra: odd },
  { requiredKeys: ['v', 'command'] },
);

test('answers each frame with an id once and continues to serve', async () => {
  let at = 0;
  await fc.assert(
    fc.asyncProperty(frame, async (some) => {
      const id = `f${at++}`;
      const isPlain = some.extra === undefined;
      const text = JSON.stringify({ ...some, id }, (name, value) => (name === 'extra' && isPlain ? undefined : value));
      const reply: Reply = await socket.raw(text, id);
      expect(reply.re).toBe(id);
      expect(reply.ok ? reply.data : reply.error).toEqual(expect.objectContaining({}));
      expect(reply.ok).toBe(reply.status < 400);
      expect(reply.status, text).not.toBe(500);
      if (!reply.ok)
        expect(reply.error).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String), requestId: expect.stringMatching(/^req_/) });
    }),
    runs(600),
  );
  expect((await socket.ask('ping')).ok).toBe(true);
  expect(harness.logs.filter((line) => line.startsWith('error'))).toEqual([]);
});

test('answers an invalid frame with an error that has no id', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().filter((json) => !json.includes('"id"')),
  );
  const before = socket.strays.length;
  await fc.assert(
    fc.asyncProperty(text, async (some) => {
      const reply = await socket.raw(some, null);
      expect(reply).toMatchObject({ re: null, ok: false, error: { code: 'invalid_request' } });
    }),
    runs(400),
  );
  expect(socket.strays.length).toBe(before);
  expect((await socket.ask('ping')).ok).toBe(true);
});
