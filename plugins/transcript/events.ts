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
/** Permission to read the id and the rights of a person; the name is visible to all readers of the chat. */
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
  { plugin: text, reason: Type.String({ description: 'Reason, as a sentence for users.' }) },
  { description: 'The plugin that sent the message, and the reason.' },
);
const fromWorkspace = optional(Type.Boolean({ description: 'Whether the external content comes from workspace files.' }));
const untrusted = optional(Type.Boolean({ description: 'Whether the text contains external content.' }));
const usage = Type.Object({ input: Type.Number(), output: Type.Number(), cached: Type.Number(), cost: optional(Type.Number()) });
const endReason = oneOf('done', 'aborted', 'error', 'round_limit', 'interrupted', 'budget');

const attachment = Type.Object({
  attachmentId: text,
  name: text,
  mimeType: Type.String({
    description: 'Media type: detected from the bytes for images, otherwise the one given by the client or found by the plugin that read the file.',
  }),
  bytes: Type.Integer(),
  artifactId: optional(Type.String({ description: 'Id of the artifact with the complete readable text of the file.' })),
  characters: optional(Type.Integer({ description: 'Length of the readable text in UTF-16 units.' })),
  note: optional(Type.String({ description: 'Reason why the text is missing or incomplete.' })),
});

/** The subject of an approval: the exact command or change. */
export const previewSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('command'),
    command: text,
    cwd: text,
    network: optional(Type.Boolean({ description: 'Whether the command has network access.' })),
  }),
  Type.Object({ kind: Type.Literal('diff'), path: text, diff: text }),
]);
/** The preview of a call: the changes that it made in a copy of the workspace. */
export const rehearsalSchema = Type.Object(
  {
    state: oneOf('running', 'ready', 'none'),
    id: optional(
      Type.String({ description: 'Id of a preview that is ready. An approval with this id applies exactly these changes instead of running the call.' }),
    ),
    why: optional(Type.String({ description: 'For `none`: reason why there is no preview, as a sentence.' })),
    ok: optional(Type.Boolean({ description: 'Whether the call succeeded in the copy, as the model will read it.' })),
    output: optional(Type.String({ description: 'Output of the call in the copy; for a long output, the beginning and the end.' })),
    changes: optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Path relative to the workspace.' }),
          kind: oneOf('added', 'edited', 'deleted', 'moved', 'mode', 'touched'),
          from: optional(Type.String({ description: 'Path before the file was moved.' })),
          what: optional(Type.String({ description: 'Type of an entry that is not a plain file, or its new mode: `folder`, `link to ../x`, `755`.' })),
          why: optional(Type.String({ description: 'Sentence about the effects of the change beyond the content of the file.' })),
          added: optional(Type.Integer({ description: 'Number of added lines; omitted if they cannot be counted.' })),
          removed: optional(Type.Integer()),
        }),
      ),
    ),
    more: optional(Type.Integer({ description: 'Number of changes that are not listed.' })),
    diff: optional(Type.String({ description: 'Unified diff of the changed text files; a line at its end describes omitted parts.' })),
  },
  { description: 'Changes of the call in a copy of the workspace.' },
);
/** Every client shows the view instead of the text. The view is validated when it is created. */
export const viewField = Type.Unsafe<View>({ description: 'The same content as a view, in the format of `GET /api/views/:name`.' });
export const decisionNames = oneOf('approve', 'reject', 'edit');

const tool_approval = Type.Object({
  approvalId: text,
  ...inCall,
  name: Type.String({ description: 'Name of the tool.' }),
  args: Type.Unknown({ description: 'Arguments of the call.' }),
  effects: Type.Array(oneOf('read', 'write', 'execute', 'network', 'external')),
  reason: Type.String({ description: 'Reason for the approval request, as a sentence.' }),
  source: optional(Type.String({ description: 'Source of the rule that requires it, such as the policy of an organisation.' })),
  afterOutside: optional(Type.Literal(true, { description: 'Set if the turn had read external content before.' })),
  preview: optional(previewSchema),
  rehearsal: optional(rehearsalSchema),
  remembers: optional(
    Type.String({ description: 'Sentence about the rule that is stored if the decision is remembered for the chat; omitted if none can be stored.' }),
  ),
  always: optional(Type.String({ description: 'Calls to which such a rule applies, in a few words: the command, or every call of the tool.' })),
  kinds: optional(Type.Array(text, { description: 'Kinds of calls to which the rule can apply instead, narrowest first: `npm run …`.' })),
  expiresAt: optional(Type.String({ description: 'Time at which the call is rejected automatically, ISO 8601; omitted if there is no limit.' })),
});
const ask_user = Type.Object({
  askId: text,
  ...inCall,
  prompt: text,
  options: optional(Type.Array(text)),
  since: Type.String({ description: 'Start of the wait, ISO 8601.' }),
});

/** Schemas of the fields of each kind, without the fields that the event log sets. */
export const eventSchemas = {
  message_accepted: Type.Object({
    ...inTurn,
    messageId: text,
    text,
    attachments: Type.Array(attachment),
    clientId: optional(text),
    isSteer: optional(Type.Boolean({ description: 'Whether the message joined a running turn.' })),
    liveDictation: optional(Type.Boolean({ description: 'Whether the message was dictated and sent unedited, so words may be wrong.' })),
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
    isForModel: optional(Type.Boolean({ description: 'Whether the model reads the message, from the next turn on.' })),
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
    data: Type.Record(text, Type.Unknown(), { description: 'Data in the format of `wire`.' }),
  }),
  tool_start: Type.Object({
    ...inCall,
    messageId: text,
    name: text,
    args: optional(Type.Unknown()),
    argsText: optional(text),
    icon: optional(Type.String({ description: 'Name of an icon, defined by the owner of the tool.' })),
    verb: optional(Type.String({ description: 'Action of the call, for clients that display it as a word: `read`, `run`.' })),
    subject: optional(Type.String({ description: 'Subject of the call in one line, defined by the owner of the tool.' })),
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
    notRun: optional(Type.Boolean({ description: 'Whether the turn ended before the call ran.' })),
    stopped: optional(Type.Boolean({ description: 'Whether the call was stopped because its turn was stopped.' })),
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
    isUnqueued: optional(Type.Literal(true, { description: 'Set if the turn never started because its message waited behind a turn that was stopped.' })),
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
    entryId: Type.String({ description: 'Id of a message or a call.' }),
    left: optional(Type.Array(text, { description: 'Names of plugins that could not remove data derived from the entry.' })),
  }),
  entry_restored: Type.Object({ chatId: text, entryId: text }),
  tool_approval,
  approval_rehearsed: Type.Object({ approvalId: text, ...inCall, rehearsal: rehearsalSchema }),
  approval_decision: Type.Object({
    approvalId: text,
    ...inCall,
    decision: decisionNames,
    rehearsal: optional(Type.String({ description: 'Id of the preview that is applied instead of running the call.' })),
    by: oneOf('user', 'rule', 'judge', 'yolo', 'timeout', 'abort', 'unattended'),
    args: optional(Type.Unknown({ description: 'The edited arguments.' })),
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
    plugin: Type.String({ description: 'Name of the requesting plugin.' }),
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
    purpose: optional(Type.String({ description: 'Purpose of the request. Clients discard the text streamed so far only for `chat`.' })),
  }),
  harness_running: Type.Object({ ...ofModel, waitingFor: optional(text), since: optional(text) }),
  error: Type.Object({ source: text, plugin: optional(text), code: text, message: text }, { additionalProperties: false }),
} as const;

export type EventKind = keyof typeof eventSchemas;

/** The emitted fields of each kind. */
export type EventFields = { readonly [K in EventKind]: Frozen<Type.Static<(typeof eventSchemas)[K]>> };

/** Fields that readers require. An event without them is treated like invalid JSON; all other fields may be missing in an old journal. */
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
