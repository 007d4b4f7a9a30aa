// Defines the schemas of a turn record (all inputs of a turn's loop, in order) and of a turn file. The types are derived from the schemas, which also validate
// untrusted files. Unknown fields are allowed, and the replay ignores them.
import * as Type from 'typebox';
import type { LoopConfig, TaskStart } from 'agent-harness/plugins/agent';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { ToolVerb } from 'agent-harness/plugins/tools';
import { lateAjv } from '#lib/late-ajv';
import { oneOf } from '#lib/schemas';
import { isRecord, type Frozen } from '#lib/values';
import { parseEvent } from 'agent-harness/transcript/events';
import type { EventFields } from 'agent-harness/transcript';
import { recordVersion } from './record-types.ts';

const most = { entries: 200_000, events: 200_000, asks: 10_000 };

/** An event emitted by the loop, without the number and the time that the log adds. */
export interface SaidEvent {
  readonly kind: string;
  readonly [field: string]: unknown;
}

const optional = Type.Optional;
const text = Type.String();
const number = Type.Number();
const count = Type.Integer({ minimum: 0 });
const efforts = ['off', 'low', 'medium', 'high', 'max'] as const;
const list = <T extends Type.TSchema>(items: T, maxItems = most.entries): Type.TArray<T> => Type.Array(items, { maxItems });

/** An error, reduced to the parts that the loop uses. */
const fault = Type.Object({ code: optional(text), message: text, details: optional(Type.Unknown()) });

/** Consecutive output of the model: the text, and the lengths of its pieces. `index`: chunk within a tool call; 0 for other channels. */
const pieces = Type.Object({ on: Type.Literal('pieces'), key: text, channel: oneOf(['text', 'reasoning', 'args']), index: count, text, lengths: list(count) });

/** One input of the loop. `key` identifies the request that it answers: conversation, kind, name, and count. */
const entry = Type.Union([
  Type.Object({ on: Type.Literal('answer'), key: text, value: optional(Type.Unknown()), fault: optional(fault) }),
  pieces,
  Type.Object({ on: Type.Literal('call'), key: text, index: Type.Integer({ minimum: 0, maximum: 10_000 }), id: text, name: text }),
  Type.Object({ on: Type.Literal('retry'), key: text, notice: Type.Object({ attempt: number, of: number, reason: text, delayMs: number }) }),
  Type.Object({ on: Type.Literal('notice'), key: text, line: text }),
  Type.Object({ on: Type.Literal('note'), key: text, note: text }),
  Type.Object({ on: Type.Literal('task'), lane: count, task: Type.Unsafe<TaskStart>({ type: 'object' }) }),
  Type.Object({
    on: Type.Literal('join'),
    event: Type.Unsafe<EventFields['message_accepted']>(
      Type.Object({ chatId: text, turnId: text, messageId: text, text, attachments: list(Type.Object({}), 1_000) }),
    ),
  }),
  Type.Object({ on: Type.Literal('abort'), lane: count, fault }),
]);

/** A message of a request that is not part of the conversation; in records of version 0.1, also a range of the conversation. */
const asked = Type.Union([
  Type.Unsafe<readonly [from: number, to: number]>({ ...list(count, 2), minItems: 2 }),
  Type.Unsafe<ModelMessage>(Type.Object({ role: text, text })),
]);

/** A request without the conversation. `system` and `tools`: indices into `texts` of the system prompt, and of the tools as JSON. */
const ask = Type.Object({ key: text, system: count, tools: count, messages: list(asked) });

const toolFacts = Type.Object({
  family: text,
  replay: optional(text),
  isConcurrent: optional(Type.Boolean()),
  icon: optional(text),
  verb: optional(Type.Unsafe<ToolVerb>(text)),
  compose: optional(Type.Object({ path: text, content: Type.Union([text, Type.Array(text)]) })),
});

/** The record of a turn. `startedAt`: milliseconds since 1970. `model`, `effort`: those chosen for the chat. `values`: results of synchronous requests. */
const record = Type.Object({
  ...{ version: Type.Literal(recordVersion), chatId: text, turnId: text, workspaceRoot: text, startedAt: number },
  ...{ model: optional(text), effort: optional(oneOf(efforts)) },
  config: optional(
    Type.Unsafe<LoopConfig>(
      Type.Object({
        ...{ maxRounds: Type.Integer({ minimum: 0, maximum: 1_000 }), maxTokens: count, lengthResumes: Type.Integer({ minimum: 0, maximum: 50 }) },
        ...{ sessionMode: text, effort: optional(oneOf(['', ...efforts])) },
      }),
    ),
  ),
  texts: list(text, most.asks),
  tools: Type.Record(text, Type.Union([Type.Null(), toolFacts])),
  asks: list(ask, most.asks),
  values: Type.Record(text, list(Type.Unknown())),
  log: list(entry),
});

const turnTest = Type.Object({
  turnTest: Type.Literal(1),
  record,
  before: list(Type.Unsafe<JournalEvent>(Type.Object({ kind: text, id: count, at: text })), most.events),
  expected: list(Type.Unsafe<SaidEvent>(Type.Object({ kind: text })), most.events),
});

export type Fault = Frozen<Type.Static<typeof fault>>;
export type Pieces = Frozen<Type.Static<typeof pieces>>;
export type Entry = Frozen<Type.Static<typeof entry>>;
export type Ask = Frozen<Type.Static<typeof ask>>;
export type ToolFacts = Frozen<Type.Static<typeof toolFacts>>;
/** The record of a turn: all inputs of its loop. */
export type TurnRecord = Frozen<Type.Static<typeof record>>;

/** A turn as a self-contained test. */
export type TurnTest = Frozen<Type.Static<typeof turnTest>>;

/** Returns the turn of a file, or of a file that wraps it in `turn`; otherwise the problem, as the end of a sentence. @param given untrusted JSON */
export function readTurnTest(given: unknown): TurnTest | { readonly problem: string } {
  const test = isRecord(given) && isRecord(given['turn']) ? given['turn'] : given;
  const ajv = new (lateAjv().Ajv2020)({ strict: false });
  if (!ajv.validate(turnTest, test)) return { problem: ajv.errorsText(ajv.errors?.slice(0, 1), { dataVar: 'turn' }) };
  const { before } = test as TurnTest;
  const wrong = before.findIndex((one) => !parseEvent(JSON.stringify(one)));
  return wrong < 0 ? (test as TurnTest) : { problem: `turn/before/${wrong} is not an event of a chat` };
}
