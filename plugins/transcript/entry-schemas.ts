// Defines the schemas of transcript entries, from which their types derive.
import * as Type from 'typebox';
import { decisionNames, eventSchemas, oneOf, previewSchema, rehearsalSchema, viewField } from './events.ts';

const text = Type.String();
const optional = Type.Optional;
const base = {
  id: Type.String({ description: 'Stable id, for example for list keys and links to search hits.' }),
  at: Type.String({ description: 'Time of the entry, ISO 8601 UTC.' }),
  turnId: optional(text),
};
const removable = {
  isRemoved: optional(Type.Literal(true, { description: 'Set if the user removed the entry from the conversation, so no model reads it.' })),
};
const file = Type.Object({
  ...{ name: text, mimeType: text, bytes: optional(Type.Integer()), attachmentId: optional(text) },
  ...{ artifactId: optional(text), characters: optional(Type.Integer()), note: optional(text) },
});
const { origin, channel } = eventSchemas.announcement.properties;
const ofCall = { chatId: text, turnId: text, callId: text };

export const userSchema = Type.Object({
  ...base,
  ...removable,
  kind: Type.Literal('user'),
  text,
  attachments: Type.Array(file),
  state: Type.Unsafe<'sending' | 'queued' | 'accepted' | 'failed'>({
    ...oneOf('sending', 'queued', 'accepted', 'failed'),
    description:
      '`queued`: waits behind a running turn. Only in a client: `sending` (in its outbox), `failed` (`problem` contains the reason; the message can be sent again or dropped).',
  }),
  isSteer: optional(Type.Boolean({ description: 'Whether the message joined a running turn.' })),
  liveDictation: optional(Type.Boolean({ description: 'Whether the message was dictated and sent unedited.' })),
  clientId: optional(text),
  problem: optional(text),
  origin: optional(origin),
  saidBy: optional(Type.String({ description: 'Name of the author; omitted for the owner.' })),
});

export const assistantSchema = Type.Object({
  ...base,
  ...removable,
  kind: Type.Literal('assistant'),
  text,
  reasoning: text,
  isStreaming: Type.Boolean({ description: 'Whether the reply is incomplete.' }),
  turnMs: optional(Type.Number({ description: 'For the last reply of a turn: duration of the turn in milliseconds.' })),
});

const toolStates = oneOf('writing', 'queued', 'waiting', 'running', 'ok', 'failed', 'denied', 'stopped', 'interrupted', 'expired');
const taskSchema = Type.Object({
  taskId: text,
  goal: text,
  model: optional(text),
  text: Type.String({ description: 'Newest text of the task.' }),
  messageId: optional(text),
  calls: Type.Array(
    Type.Object({
      ...{ callId: text, name: text, args: optional(Type.Unknown()), subject: optional(text) },
      ...removable,
      isOk: optional(Type.Boolean({ description: 'Whether the call succeeded; omitted while it runs.' })),
    }),
  ),
  reason: optional(Type.String({ description: 'Reason why the task ended; omitted while it runs.' })),
  rounds: optional(Type.Integer()),
  durationMs: optional(Type.Number()),
});

export const toolSchema = Type.Object({
  ...base,
  ...removable,
  kind: Type.Literal('tool'),
  callId: text,
  messageId: optional(Type.String({ description: 'Id of the reply that contains the call.' })),
  name: text,
  state: Type.Unsafe<Type.Static<typeof toolStates>>({
    ...toolStates,
    description:
      '`writing`: the model is writing the call. `queued`: other calls of the reply run first. `waiting`: waits for a decision of the user. `interrupted`: ended without a result.',
  }),
  startedAt: optional(Type.String({ description: 'Start of the execution, ISO 8601.' })),
  argsText: Type.String({ description: 'JSON text of the arguments received so far; empty after `args` is set.' }),
  args: optional(Type.Record(text, Type.Unknown())),
  icon: optional(Type.String({ description: 'Name of an icon, defined by the owner of the tool.' })),
  verb: optional(Type.String({ description: 'Action of the call, for clients that display it as a word: `read`, `run`.' })),
  subject: optional(Type.String({ description: 'Subject of the call in one line, defined by the owner of the tool.' })),
  progress: Type.Array(text, { description: 'Newest progress lines while the call runs, at most 200.' }),
  compose: optional(
    Type.Object(
      { path: text, text, lines: Type.Integer(), isDone: Type.Boolean() },
      { description: 'The file that the call writes, while the model is writing it.' },
    ),
  ),
  ok: optional(Type.Boolean({ description: 'Whether the call succeeded, as reported to the model.' })),
  output: optional(text),
  durationMs: optional(Type.Number()),
  artifactId: optional(text),
  truncated: optional(Type.Boolean()),
  untrusted: optional(Type.Boolean({ description: 'Whether the output contains external content.' })),
  fromWorkspace: optional(Type.Boolean({ description: 'Whether that content comes from workspace files.' })),
  images: optional(Type.Array(file)),
  view: optional(viewField),
  approval: optional(
    Type.Object({
      ...{ approvalId: text, ...ofCall, name: text, args: Type.Record(text, Type.Unknown()), effects: Type.Array(text) },
      reason: Type.String({ description: 'Reason for the approval request.' }),
      preview: optional(previewSchema),
      rehearsal: optional(rehearsalSchema),
      remembers: optional(Type.String({ description: 'Sentence about the rule that is stored if the decision is remembered; omitted if none can be stored.' })),
      always: optional(Type.String({ description: 'Calls to which such a rule applies, in a few words.' })),
      kinds: optional(Type.Array(text, { description: 'Kinds of calls to which the rule can apply instead, narrowest first.' })),
      since: optional(Type.String({ description: 'Time of the request, ISO 8601.' })),
      expiresAt: optional(Type.String({ description: 'Time at which the call is rejected automatically, ISO 8601; omitted if there is no limit.' })),
    }),
  ),
  decision: optional(
    Type.Object({
      ...{ decision: decisionNames, by: text, reason: optional(text) },
      saidBy: optional(Type.String({ description: 'Name of the person who decided; omitted for the owner.' })),
    }),
  ),
  question: optional(Type.Object({ askId: text, ...ofCall, prompt: text, options: optional(Type.Array(text)), since: text })),
  answer: optional(text),
  answeredBy: optional(Type.String({ description: 'Name of the person who answered; omitted for the owner.' })),
  task: optional(taskSchema),
});

export const noteSchema = Type.Object({
  ...base,
  kind: oneOf('system', 'error'),
  text,
  code: optional(Type.String({ description: 'Reason why a turn ended, code of an error, or kind of the event.' })),
  data: optional(Type.Unknown({ description: "Data for the plugin's own view of the event." })),
  view: optional(viewField),
});

export const announcementSchema = Type.Object(
  {
    ...base,
    ...removable,
    kind: Type.Literal('announcement'),
    text,
    origin,
    channel,
    untrusted: optional(Type.Boolean({ description: 'Whether the text contains external content.' })),
  },
  { description: 'A message of a plugin outside a turn.' },
);

export const runningSchema = Type.Object({
  turnId: text,
  model: optional(text),
  startedAt: text,
  waitingFor: oneOf('model', 'tool', 'approval', 'answer', 'retry'),
  since: Type.String({ description: 'Start of the current wait, ISO 8601.' }),
  retry: optional(
    Type.Object(
      { attempt: Type.Integer(), of: Type.Integer(), reason: text, until: text },
      { description: 'While the turn waits for `retry`: the fault of the model provider, the number of the next attempt and its time (ISO 8601).' },
    ),
  ),
});

export const entrySchema = Type.Union([userSchema, assistantSchema, toolSchema, noteSchema, announcementSchema]);
