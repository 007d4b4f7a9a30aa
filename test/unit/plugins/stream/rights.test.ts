// Tests event permissions: a reader receives only permitted events, live and replayed.
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as Type from 'typebox';
import type { EventFrame } from 'agent-harness/plugins/chats';
import type { Rights } from 'agent-harness/plugins/http';
import type { Pipe, Wire } from 'agent-harness/plugins/stream';
import { openStreamRig, type StreamRig } from './open-stream.ts';

let rig: StreamRig;
const viewer: Rights = { role: 'viewer', areas: ['chats', 'server'] };
const owner: Rights = { role: 'owner' };

beforeEach(async () => {
  rig = await openStreamRig();
  for (const [name, permission, keep] of [
    ['for_all', 'server.read', 'live'],
    ['for_managers', 'server.manage', 'newest'],
    ['for_owner', 'owner', 'newest'],
    ['of_chat_for_owner', 'owner', 'journal'],
    ['unsaid', undefined, 'live'],
  ] as const)
    rig.declare({ name, ...(permission ? { permission } : {}), description: 'For this test.', schema: Type.Object({}), keep } as never);
});
afterEach(() => rig.close());

/** Frames that begin a stream, and events of creating the first chat. */
const ofEveryReader = new Set(['connected', 'resync', 'transcript_replay', 'chat_updated', 'chat_switched']);

interface Reader {
  readonly kinds: string[];
  readonly pipe: Pipe;
  leave(): void;
}

let encoded: string[] = [];
const wire: Wire = {
  name: 'of this test',
  event(frame: EventFrame) {
    encoded.push(frame.kind);
    return `${frame.kind}\n`;
  },
  notice: (kind) => `${kind}\n`,
  alive: '',
  bytesOf: (texts) => Buffer.from(texts.join('')),
};

async function listen(rights: Rights, asked: { chatId?: string; since?: number } = {}): Promise<Reader> {
  const kinds: string[] = [];
  let onClose: (() => void) | undefined;
  const pipe: Pipe = {
    isClosed: false,
    bufferedBytes: 0,
    write: (bytes) =>
      void kinds.push(
        ...bytes
          .toString()
          .trim()
          .split('\n')
          .filter((kind) => !ofEveryReader.has(kind)),
      ),
    onDrain: () => undefined,
    onClose: (listener) => void (onClose = listener),
    end: () => undefined,
    destroy: () => undefined,
  };
  await rig.kernel.resolve('stream').read({ rights, ...asked }, wire, () => pipe);
  return { kinds, pipe, leave: () => onClose?.() };
}

const say = (...kinds: string[]): void => kinds.forEach((kind) => rig.emit(kind, {}));
const settled = async (): Promise<void> => {
  await rig.log.flushed('nothing');
  await new Promise((resolve) => setImmediate(resolve));
};
const all = ['for_all', 'for_managers', 'for_owner', 'unsaid'];

test.each<[string, Rights, readonly string[]]>([
  ['a reader with chat permission', viewer, ['for_all']],
  ['an admin', { role: 'admin' }, ['for_all', 'for_managers']],
  ['an admin in other areas', { role: 'admin', areas: ['chats', 'memory'] }, []],
  ['an owner', owner, all],
  ['an owner limited to areas', { role: 'owner', areas: ['chats', 'server'] }, ['for_all', 'for_managers']],
])('%s receives permitted events, and only an owner receives events without a permission', async (_, rights, expected) => {
  const reader = await listen(rights, { chatId: 'all' });
  say(...all);
  await settled();
  expect(reader.kinds).toEqual(expected);
  reader.leave();
});

test('retained events reach only permitted later readers, with and without a start position', async () => {
  const first = await listen(owner, { chatId: 'all' });
  const since = rig.log.cursor;
  say('for_managers', 'for_owner');
  await settled();
  for (const asked of [{}, { chatId: 'all' }, { chatId: 'all', since }, { since }]) {
    const [one, other, third] = [await listen(viewer, asked), await listen({ role: 'admin' }, asked), await listen(owner, asked)];
    await expect.poll(() => third.kinds).toEqual(['for_managers', 'for_owner']);
    expect([one.kinds, other.kinds]).toEqual([[], ['for_managers']]);
    for (const reader of [one, other, third]) reader.leave();
  }
  first.leave();
});

test('a replay omits events that the reader may not receive, from memory and from disk', async () => {
  const { chatId } = await rig.chats.active();
  const since = rig.log.cursor;
  rig.emitText(chatId, 1);
  rig.emit('of_chat_for_owner', { chatId });
  await rig.log.flushed(chatId);
  for (const from of [since, 0])
    for (const place of [chatId, 'all']) {
      const [one, other] = [await listen(viewer, { chatId: place, since: from }), await listen(owner, { chatId: place, since: from })];
      await expect.poll(() => other.kinds).toContain('of_chat_for_owner');
      await expect.poll(() => one.kinds).toContain('text');
      expect(one.kinds).not.toContain('of_chat_for_owner');
      one.leave();
      other.leave();
    }
  const { home } = rig;
  await rig.close({ keepFiles: true });
  rig = await openStreamRig({ home });
  const [one, other] = [await listen(viewer, { chatId, since: 0 }), await listen(owner, { chatId, since: 0 })];
  await expect.poll(() => other.kinds).toContain('of_chat_for_owner'); // The event is no longer declared.
  expect(one.kinds).toContain('text');
  expect(one.kinds).not.toContain('of_chat_for_owner');
});

test('a reader without chat permission receives no event of a chat, whatever its permission', async () => {
  const { chatId } = await rig.chats.active();
  rig.declare({ name: 'of_server_in_chat', permission: 'server.read', description: 'For this test.', schema: Type.Object({}), keep: 'live' } as never);
  const reader = await listen({ role: 'member', areas: ['server'] }, { chatId: 'all' });
  rig.emit('of_server_in_chat', { chatId });
  rig.emitText(chatId, 1);
  say('for_all');
  await settled();
  expect(reader.kinds).toEqual(['for_all']);
  reader.leave();
});

test('an event is encoded once for all readers, and not at all without a permitted one', async () => {
  const readers = await Promise.all([viewer, viewer, owner, owner, { role: 'admin' } as const].map((rights) => listen(rights, { chatId: 'all' })));
  encoded = [];
  say('for_all', 'for_managers');
  await settled();
  expect(encoded).toEqual(['for_all', 'for_managers']);
  readers.slice(2).forEach(({ leave }) => leave());
  encoded = [];
  say('for_owner');
  await settled();
  expect(encoded).toEqual([]);
  readers.slice(0, 2).forEach(({ leave }) => leave());
});
