// Validates an untrusted turn file before anything of it is replayed.
import { lateAjv } from 'agent-harness/lib/late-ajv';
import { isRecord } from 'agent-harness/lib/values';
import { parseEvent } from 'agent-harness/transcript/events';
import { recordVersion } from './record-types.ts';
import type { TurnTest } from './played-types.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const object = { type: 'object' };
const effort = { enum: ['off', 'low', 'medium', 'high', 'max'] };
const list = (items: object, maxItems: number): object => ({ type: 'array', items, maxItems });
const shape = (properties: Readonly<Record<string, object>>, ...left: string[]): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !left.includes(name)),
});
const entry = (on: string, fields: Readonly<Record<string, object>>, ...left: string[]): object => shape({ on: { const: on }, ...fields }, ...left);

const most = { entries: 200_000, events: 200_000, asks: 10_000 };
const fault = shape({ code: text, message: text }, 'code');
const message = shape({ chatId: text, turnId: text, messageId: text, text, attachments: list(object, 1_000) });
/** Other fields pass: the replay ignores them. */
const entries = [
  entry('answer', { key: text, fault }, 'fault'),
  entry('pieces', { key: text, channel: { enum: ['text', 'reasoning', 'args'] }, index: count, text, lengths: list(count, most.entries) }),
  entry('call', { key: text, index: { ...count, maximum: 10_000 }, id: text, name: text }),
  entry('retry', { key: text, notice: shape({ attempt: number, of: number, reason: text, delayMs: number }) }),
  entry('note', { key: text, note: text }),
  entry('task', { lane: count, task: object }),
  entry('join', { event: message }),
  entry('abort', { lane: count, fault }),
];
const record = shape(
  {
    version: { const: recordVersion },
    chatId: text,
    turnId: text,
    workspaceRoot: text,
    startedAt: number,
    model: text,
    effort,
    config: shape(
      {
        ...{ maxRounds: { ...count, maximum: 1_000 }, maxTokens: count, lengthResumes: { ...count, maximum: 50 }, sessionMode: text },
        effort: { enum: ['', ...effort.enum] },
      },
      'effort',
    ),
    texts: list(text, most.asks),
    tools: { type: 'object', additionalProperties: { anyOf: [{ type: 'null' }, shape({ family: text })] } },
    asks: list(
      shape(
        {
          ...{ key: text, system: count, tools: count, known: count, size: count, maxTokens: number, purpose: text, effort },
          messages: list({ anyOf: [{ ...list(count, 2), minItems: 2 }, shape({ role: text, text })] }, most.events),
        },
        'effort',
      ),
      most.asks,
    ),
    values: { type: 'object', additionalProperties: list({}, most.entries) },
    log: list({ type: 'object', oneOf: entries, required: ['on'] }, most.entries),
  },
  'model',
  'effort',
  'config',
);
const event = shape({ kind: text });
const schema = {
  ...shape({ turnTest: { const: 1 }, record, before: list(shape({ kind: text, id: count, at: text }), most.events), expected: list(event, most.events) }),
};

/** Returns the turn of a file, or of one that wraps it (`turn`); otherwise the fault, as the end of a sentence. @param given JSON */
export function readTurnTest(given: unknown): TurnTest | { readonly problem: string } {
  const test = isRecord(given) && isRecord(given['turn']) ? given['turn'] : given;
  const ajv = new (lateAjv().Ajv2020)({ strict: false });
  if (!ajv.validate(schema, test)) return { problem: ajv.errorsText(ajv.errors?.slice(0, 1), { dataVar: 'turn' }) };
  const { before } = test as TurnTest;
  const wrong = before.findIndex((one) => !parseEvent(JSON.stringify(one)));
  return wrong < 0 ? (test as TurnTest) : { problem: `turn/before/${wrong} is no event of a chat` };
}
