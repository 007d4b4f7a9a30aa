// Fuzzes journals: every reader reads complete lines, and damaged ones are skipped and reported.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConversation, type EventKind } from 'agent-harness/transcript';
import { parseEvent } from 'agent-harness/transcript/events';
import { openChats, type OpenedChats } from './open-chats.ts';
import { runs } from '../../../helpers/dice.ts';

let folders: string[];
beforeEach(async () => {
  folders = await Promise.all(['home', 'work'].map((name) => mkdtemp(join(tmpdir(), `journal-${name}-`))));
});
afterEach(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

const oneOf = (...names: string[]): fc.Arbitrary<string> => fc.constantFrom(...names);
const turnId = oneOf('turn_1', 'turn_2');
const messageId = oneOf('msg_1', 'msg_2', 'msg_3');
const callId = oneOf('call_1', 'call_2', 'call_3');
const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), oneOf('wörld 🙂', '\u2028', '"\\', '\ud800'), fc.constant('x'.repeat(300_000)));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const attachment = fc.record({ attachmentId: oneOf('att_1'), name: words, mimeType: oneOf('image/png', 'text/plain'), bytes: fc.nat() });

const kinds: Readonly<Record<string, Record<string, fc.Arbitrary<unknown>>>> = {
  message_accepted: { turnId, messageId, text: words, attachments: fc.array(attachment, { maxLength: 2 }), isSteer: maybe(fc.boolean()), clientId: maybe(oneOf('c1', 'c2')) }, // prettier-ignore
  turn_start: { turnId, messageId, model: oneOf('m') },
  steer_heard: { turnId, messageIds: fc.array(messageId, { maxLength: 2 }) },
  text: { turnId, messageId, offset: fc.nat(30), delta: words, channel: oneOf('user', 'reasoning', 'trace') },
  tool_start: { turnId, messageId, callId, name: oneOf('run'), args: maybe(fc.jsonValue()), argsText: maybe(oneOf('{}', '{"a":')) },
  tool_result: { turnId, callId, name: oneOf('run'), ok: fc.boolean(), output: words, untrusted: maybe(fc.boolean()), images: maybe(fc.array(attachment, { maxLength: 1 })) }, // prettier-ignore
  usage: { turnId: maybe(turnId), purpose: oneOf('chat', 'title') },
  provider_retry: { turnId: maybe(turnId), purpose: maybe(oneOf('chat', 'title')) },
  turn_end: { turnId, reason: oneOf('done', 'aborted', 'error', 'interrupted') },
  conversation_reset: { mode: oneOf('soft', 'hard') },
  tool_approval: { turnId, callId, approvalId: oneOf('a1') },
  of_a_plugin: { text: fc.jsonValue() },
  constructor: {},
};
type Fields = Record<string, unknown>;
const event: fc.Arbitrary<Fields> = fc.oneof(
  ...Object.entries(kinds).map(([kind, fields]) => fc.record(fields).map((values) => ({ kind, at: '2026-01-01T00:00:00.000Z', ...values }))),
);
const odd = fc.oneof(fc.constantFrom(null, 1, -1, true, '', [], {}, [null], 1e300), fc.jsonValue({ maxDepth: 2 }));
/** A known kind with a wrong value in one field. */
const oddEvent = fc.tuple(event, fc.nat(9), odd).map(([fields, place, value]) => {
  const names = Object.keys(fields).filter((name) => name !== 'kind');
  return { ...fields, [names[place % names.length] as string]: value };
});
const noEvent = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes.map((byte) => (byte === 10 ? 0 : byte)))),
  fc.constantFrom('{', 'null', '[]', '5', '{}', '{"id":1}', '{"id":"1","kind":"text"}', '{"id":0,"kind":"text"}', '{"id":1e30,"kind":"turn_end"}').map((text) => Buffer.from(text)), // prettier-ignore
  fc.constantFrom('{"id":99999999999999999999,"kind":"turn_end","at":""}', '{"id":0,"kind":"turn_end","at":""}', '{"id":1.5,"kind":"usage"}', ' ').map((text) => Buffer.from(text)), // prettier-ignore
  fc.constant(Buffer.alloc(600_000, 'g')),
);
type Line = { readonly fields?: Fields; readonly odd?: Fields; readonly torn?: readonly [Fields, number]; readonly bytes?: Buffer };
const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 6, arbitrary: event.map((fields) => ({ fields })) },
  { weight: 2, arbitrary: oddEvent.map((fields) => ({ odd: fields })) },
  { weight: 1, arbitrary: fc.tuple(event, fc.nat(60)).map((torn) => ({ torn })) },
  { weight: 2, arbitrary: noEvent.map((bytes) => ({ bytes })) },
);

interface Journal {
  readonly bytes: Buffer;
  readonly whole: readonly number[];
  readonly broken: number;
}

function write(lines: readonly Line[], tail: Buffer): Journal {
  const whole: number[] = [];
  let broken = 0;
  const parts = lines.map((one, at) => {
    const id = 1_000 + at;
    const encode = (fields: Fields): string => JSON.stringify({ id, ...fields });
    if (one.fields) whole.push(id);
    else if (!one.odd) broken++;
    const torn =
      one.torn &&
      encode(one.torn[0])
        .slice(0, 1 + one.torn[1])
        .replace(/\}$/, '');
    return Buffer.concat([one.bytes ?? Buffer.from(torn ?? encode((one.fields ?? one.odd) as Fields)), Buffer.from('\n')]);
  });
  return { bytes: Buffer.concat([...parts, tail]), whole, broken };
}

/** Such an end without a line break counts as an unreadable line. */
function isObject(bytes: Buffer): boolean {
  try {
    return /^\{/.test(bytes.toString()) && typeof JSON.parse(bytes.toString()) === 'object';
  } catch {
    return false;
  }
}

/** Opens a fresh server on a chat with the given journal bytes. */
async function openWith(bytes: Buffer): Promise<OpenedChats & { readonly chatId: string }> {
  const options = { home: folders[0] as string, work: folders[1] as string };
  const first = await openChats(options);
  const { chatId } = await first.chats.active();
  await first.log.flushed(chatId);
  await first.close();
  await writeFile(join(options.home, 'chats', chatId, 'session.jsonl'), bytes);
  return Object.assign(await openChats(options), { chatId });
}

test('no journal makes a reader fail, and no complete line is lost', { timeout: 60_000 }, async () => {
  const torn = fc.oneof(fc.constant(Buffer.alloc(0)), noEvent);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 40 }), torn, fc.integer({ min: 1, max: 50 }), fc.nat(45), async (lines, tail, limit, from) => {
      const { bytes, whole, broken } = write(lines, tail);
      const opened = await openWith(bytes);
      try {
        const { chats, log, chatId, errors } = opened;
        const conversation = createConversation();
        const read: number[] = [];
        for await (const one of log.read(chatId)) {
          read.push(one.id);
          conversation.take(one.kind as EventKind, one);
        }
        conversation.settle();
        expect(read).toEqual(expect.arrayContaining([...whole]));
        expect(errors.filter((error) => error.code === 'CHATS_ERR_JOURNAL_BROKEN').length).toBe(
          lines.length + (isObject(tail) ? 1 : 0) - read.filter((id) => id < 2_000).length,
        );
        expect(read.filter((id) => id < 2_000).length).toBeLessThanOrEqual(lines.length - broken);

        const replayed = await log.replay(chatId, 1_000 + from);
        expect(replayed?.map((frame) => frame.id)).toEqual(expect.arrayContaining(whole.filter((id) => id > 1_000 + from)));
        expect((await log.replay(chatId, 0))?.map((frame) => frame.id)).toEqual(expect.arrayContaining([...whole]));

        const seen: string[] = [];
        let before: string | undefined;
        do {
          const page = await chats.transcript(chatId, { limit, ...(before === undefined ? {} : { before }) });
          seen.unshift(...page.entries.map((entry) => entry.id));
          expect(page.cursor === undefined || before === undefined || Number(page.cursor) < Number(before)).toBe(true);
          before = page.cursor;
        } while (before !== undefined);
        const said = lines.flatMap(({ fields }) => (fields?.['kind'] === 'message_accepted' ? [String(fields['messageId'])] : []));
        expect(seen).toEqual(expect.arrayContaining(said));
        await chats.search('x', 5);
        expect((await chats.get(chatId)).chatId).toBe(chatId);
      } finally {
        expect(await opened.close()).toEqual([]);
      }
    }),
    runs(60),
  );
});

test('each call of a conversation has exactly one result, directly after it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: oddEvent }), { maxLength: 60 }), (events) => {
      const conversation = createConversation();
      for (const [at, fields] of events.entries()) {
        const one = parseEvent(JSON.stringify({ id: at + 1, ...fields }));
        if (one) conversation.take(one.kind as EventKind, one);
      }
      conversation.settle();
      const { messages } = conversation;
      for (let at = 0; at < messages.length; at++) {
        const message = messages[at];
        if (message?.role !== 'assistant') {
          expect(message?.role, 'an answer without a call').not.toBe('tool');
          continue;
        }
        const answers = messages.slice(at + 1, at + 1 + message.toolCalls.length);
        expect(answers.map((one) => (one.role === 'tool' ? one.callId : one.role))).toEqual(message.toolCalls.map((call) => call.id));
        for (const one of messages) expect(typeof one.text).toBe('string');
        at += answers.length;
      }
    }),
    runs(1_500),
  );
});
