// Defines the platform events of a chat by their schemas, from which types and parsers derive.
import * as Type from 'typebox';
import type { Frozen } from '#lib/values';
import type { View } from 'agent-harness/view';
import type { Principal } from 'agent-harness/plugins/http';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const optional = Type.Optional;
/** Creates a schema of one of these values. */
export const oneOf = <const T extends readonly string[]>(...names: T): Type.TUnsafe<T[number]> =>
  Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))));

const inTurn = { chatId: text, turnId: text };
const inCall = { ...inTurn, callId: text };
const ofModel = { chatId: text, turnId: optional(text) };
/** The chat shows the name; id and rights require the permission to read people. */
const ofPeople = { 'x-permission': 'people.read' };
const principal = optional(
  Type.Unsafe<Principal>({
    type: 'object',
    description: 'Author of the decision: kind, id, name, role.',
    properties: { kind: { type: 'string' }, name: { type: 'string' }, id: { type: 'string', ...ofPeople }, role: { type: 'string', ...ofPeople } },
    additionalProperties: ofPeople,
  }),
);
const origin = Type.Object(
  { plugin: text, reason: Type.String({ description: 'Why, in a sentence for people.' }) },
  { description: 'The plugin that speaks by itself, and why.' },
);
const fromWorkspace = optional(Type.Boolean({ description: "The untrusted content is from the workspace's own files." }));
const untrusted = optional(Type.Boolean({ description: "Other people's text is in it." }));
const usage = Type.Object({ input: Type.Number(), output: Type.Number(), cached: Type.Number(), cost: optional(Type.Number()) });
const endReason = oneOf('done', 'aborted', 'error', 'round_limit', 'interrupted', 'budget');

const attachment = Type.Object({
  attachmentId: text,
  name: text,
  mimeType: Type.String({ description: 'A picture by its bytes, else what the client said, or what a reader found.' }),
  bytes: Type.Integer(),
  artifactId: optional(Type.String({ description: 'The text that could be read of it, whole.' })),
  characters: optional(Type.Integer({ description: 'UTF-16 units of that text.' })),
  note: optional(Type.String({ description: 'Why there is no text, or not all of it.' })),
});

/** The subject of an approval: the exact command or change. */
export const previewSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('command'),
    command: text,
    cwd: text,
    network: optional(Type.Boolean({ description: 'It runs with network.' })),
  }),
  Type.Object({ kind: Type.Literal('diff'), path: text, diff: text }),
]);
/** The changes that a call made in a copy of the workspace, before it runs for real. */
export const rehearsalSchema = Type.Object(
  {
    state: oneOf('running', 'ready', 'none'),
    id: optional(
      Type.String({ description: 'Of one that is ready: names exactly what is shown here. An approval that gives it applies that and runs nothing.' }),
    ),
    why: optional(Type.String({ description: 'Of `none`: why it cannot be shown before, as a sentence.' })),
    ok: optional(Type.Boolean({ description: 'Its outcome there, as the model will receive it.' })),
    output: optional(Type.String({ description: 'Its output there; of a long output the beginning and the end.' })),
    changes: optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Relative to the workspace.' }),
          kind: oneOf('added', 'edited', 'deleted', 'moved', 'mode', 'touched'),
          from: optional(Type.String({ description: 'Its path before it was moved.' })),
          what: optional(Type.String({ description: 'Its type if it is no plain file, or its new mode: `folder`, `link to ../x`, `755`.' })),
          why: optional(Type.String({ description: 'Why it decides about more than its content, as a sentence.' })),
          added: optional(Type.Integer({ description: 'Lines; left out if they cannot be counted.' })),
          removed: optional(Type.Integer()),
        }),
      ),
    ),
    more: optional(Type.Integer({ description: 'Number of changes that are not listed.' })),
    diff: optional(Type.String({ description: 'Unified, of the texts among them; a line at its end says what was left out.' })),
  },
  { description: 'Changes of the call in a copy of the workspace.' },
);
/** Every client shows the view instead of the text; validated when created. */
export const viewField = Type.Unsafe<View>({ description: 'The same as a view, as `GET /api/views/:name` answers one.' });
export const decisionNames = oneOf('approve', 'reject', 'edit');

const tool_approval = Type.Object({
  approvalId: text,
  ...inCall,
  name: Type.String({ description: 'The tool.' }),
  args: Type.Unknown({ description: 'The arguments of the call.' }),
  effects: Type.Array(oneOf('read', 'write', 'execute', 'network', 'external')),
  reason: Type.String({ description: 'Why it is asked, as a sentence.' }),
  source: optional(Type.String({ description: 'Source of the rule that requires it, such as the policy of an organisation.' })),
  afterOutside: optional(Type.Literal(true, { description: 'The turn had read text from outside before.' })),
  preview: optional(previewSchema),
  rehearsal: optional(rehearsalSchema),
  remembers: optional(
    Type.String({ description: 'The rule that remembering the decision for the chat would store, as a sentence; left out if none is stored.' }),
  ),
  always: optional(Type.String({ description: 'Scope of such a rule, in a few words: the command, or every call of the tool.' })),
  kinds: optional(Type.Array(text, { description: 'Kinds of calls that such a rule may be about instead, narrowest first: `npm run …`.' })),
  expiresAt: optional(Type.String({ description: 'ISO 8601; the call is rejected at this time. Left out if it waits without a limit.' })),
});
const ask_user = Type.Object({
  askId: text,
  ...inCall,
  prompt: text,
  options: optional(Type.Array(text)),
  since: Type.String({ description: 'ISO 8601.' }),
});

/** Schemas of the fields of each kind, without the fields that the event log sets. */
export const eventSchemas = {
  message_accepted: Type.Object({
    ...inTurn,
    messageId: text,
    text,
    attachments: Type.Array(attachment),
    clientId: optional(text),
    isSteer: optional(Type.Boolean({ description: 'It joined a running turn.' })),
    liveDictation: optional(Type.Boolean({ description: 'It was spoken and sent as it was heard, so words of it may be misheard.' })),
    principal,
    origin: optional(origin),
    untrusted,
  }),
  announcement: Type.Object({
    chatId: text,
    messageId: text,
    text,
    origin,
    channel: oneOf('user', 'trace'),
    isForModel: optional(Type.Boolean({ description: 'The model reads it, from the next turn on.' })),
    untrusted,
    clientId: optional(text),
  }),
  steer_heard: Type.Object({ ...inTurn, messageIds: Type.Array(text) }),
  turn_start: Type.Object({ ...inTurn, messageId: text, model: text }),
  text: Type.Object({ ...inTurn, messageId: text, offset: count, delta: text, channel: oneOf('user', 'trace', 'reasoning') }),
  provider_data: Type.Object({
    ...inTurn,
    messageId: text,
    wire: text,
    baseURL: text,
    data: Type.Record(text, Type.Unknown(), { description: 'In the shape of the wire.' }),
  }),
  tool_start: Type.Object({
    ...inCall,
    messageId: text,
    name: text,
    args: optional(Type.Unknown()),
    argsText: optional(text),
    icon: optional(Type.String({ description: 'The name of a picture, as the owner of the tool says.' })),
    verb: optional(Type.String({ description: 'Action of the call, for clients that show it in words: `read`, `run`.' })),
    subject: optional(Type.String({ description: 'Subject of the call, in one line, from the owner of the tool.' })),
  }),
  tool_running: Type.Object(inCall),
  tool_delta: Type.Object({ ...inCall, argsDelta: text }),
  tool_progress: Type.Object({ ...inCall, note: text }),
  tool_result: Type.Object({
    ...inCall,
    name: text,
    ok: Type.Boolean(),
    output: text,
    durationMs: Type.Number(),
    artifactId: optional(text),
    truncated: optional(Type.Boolean()),
    untrusted,
    fromWorkspace,
    notRun: optional(Type.Boolean({ description: 'The turn ended before the turn of this call came.' })),
    stopped: optional(Type.Boolean({ description: 'It was ended because its turn was stopped.' })),
    images: optional(Type.Array(Type.Object({ mimeType: text, attachmentId: text }))),
    view: optional(viewField),
  }),
  compose_preview: Type.Object({ ...inCall, path: text, offset: count, delta: text, lines: Type.Integer(), done: Type.Boolean() }),
  turn_end: Type.Object({
    ...inTurn,
    reason: endReason,
    durationMs: Type.Number(),
    rounds: Type.Integer(),
    tools: Type.Integer(),
    usage,
    error: optional(Type.Object({ code: text, message: text })),
    isUnqueued: optional(Type.Literal(true, { description: 'It waited behind a turn that was stopped, and never began.' })),
  }),
  subtask_start: Type.Object({ ...inCall, taskId: text, goal: text, model: text }),
  subtask_text: Type.Object({ ...inTurn, taskId: text, messageId: text, offset: count, delta: text }),
  subtask_tool: Type.Object({
    ...inTurn,
    taskId: text,
    toolCallId: text,
    name: text,
    args: optional(Type.Unknown()),
    subject: optional(text),
    ok: optional(Type.Boolean()),
    output: optional(text),
    durationMs: optional(Type.Number()),
  }),
  subtask_end: Type.Object({ ...inCall, taskId: text, reason: endReason, durationMs: Type.Number(), rounds: Type.Integer(), tools: Type.Integer(), usage }),
  conversation_reset: Type.Object({ chatId: text, mode: oneOf('soft', 'hard') }),
  entry_removed: Type.Object({
    chatId: text,
    entryId: Type.String({ description: 'Of a message or a call.' }),
    left: optional(Type.Array(text, { description: 'Plugins that could not remove what they made of it.' })),
  }),
  entry_restored: Type.Object({ chatId: text, entryId: text }),
  tool_approval,
  approval_rehearsed: Type.Object({ approvalId: text, ...inCall, rehearsal: rehearsalSchema }),
  approval_decision: Type.Object({
    approvalId: text,
    ...inCall,
    decision: decisionNames,
    rehearsal: optional(Type.String({ description: 'The changes shown under this id are applied; nothing else runs.' })),
    by: oneOf('user', 'rule', 'judge', 'yolo', 'timeout', 'abort', 'unattended'),
    args: optional(Type.Unknown({ description: 'As edited.' })),
    reason: optional(text),
    source: optional(Type.String({ description: 'Source of the rule that decided.' })),
    principal,
  }),
  ask_user,
  ask_user_answered: Type.Object({ askId: text, ...inCall, answer: text, principal }),
  usage: Type.Object({
    ...ofModel,
    model: text,
    purpose: text,
    plugin: Type.String({ description: 'Plugin that asked.' }),
    input: Type.Integer(),
    output: Type.Integer(),
    cached: Type.Integer(),
    cost: optional(Type.Number()),
  }),
  provider_retry: Type.Object({
    ...ofModel,
    attempt: Type.Integer(),
    of: Type.Integer(),
    reason: text,
    delayMs: Type.Integer(),
    purpose: optional(Type.String({ description: 'Of the request; only one for `chat` makes void what a person read.' })),
  }),
  harness_running: Type.Object({ ...ofModel, waitingFor: optional(text), since: optional(text) }),
  error: Type.Object({ source: text, plugin: optional(text), code: text, message: text }, { additionalProperties: false }),
} as const;

export type EventKind = keyof typeof eventSchemas;

/** The emitted fields of each kind. */
export type EventFields = { readonly [K in EventKind]: Frozen<Type.Static<(typeof eventSchemas)[K]>> };

/** Fields that readers require. An event without them is as unreadable as invalid JSON; all other fields may be missing in an old journal. */
export const neededFields = {
  message_accepted: ['messageId', 'text'],
  announcement: ['messageId', 'text', 'origin'],
  steer_heard: ['messageIds'],
  turn_start: [],
  text: ['messageId', 'offset', 'delta'],
  provider_data: ['messageId', 'wire', 'baseURL', 'data'],
  tool_start: ['callId', 'name'],
  tool_running: ['callId'],
  tool_delta: ['callId', 'argsDelta'],
  tool_progress: ['callId', 'note'],
  tool_result: ['callId'],
  compose_preview: ['callId', 'offset', 'delta'],
  turn_end: [],
  subtask_start: ['callId', 'taskId'],
  subtask_text: ['taskId', 'offset', 'delta'],
  subtask_tool: ['taskId', 'toolCallId'],
  subtask_end: ['taskId'],
  conversation_reset: [],
  entry_removed: ['entryId'],
  entry_restored: ['entryId'],
  tool_approval: ['callId', 'approvalId'],
  approval_rehearsed: ['callId', 'approvalId', 'rehearsal'],
  approval_decision: ['callId', 'approvalId'],
  ask_user: ['callId', 'askId'],
  ask_user_answered: ['callId', 'askId'],
  usage: [],
  provider_retry: [],
  harness_running: [],
  error: [],
} as const satisfies { readonly [K in EventKind]: readonly (keyof EventFields[K])[] };
