// Defines the schemas of transcript entries, from which their types derive.
import * as Type from 'typebox';
import { decisionNames, eventSchemas, oneOf, previewSchema, rehearsalSchema, viewField } from './events.ts';

const text = Type.String();
const optional = Type.Optional;
const base = {
  id: Type.String({ description: 'Stable: keys of lists, anchors of search hits.' }),
  at: Type.String({ description: 'ISO 8601 UTC.' }),
  turnId: optional(text),
};
const removable = {
  isRemoved: optional(Type.Literal(true, { description: 'A person removed it from the conversation: no model reads it.' })),
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
      '`queued`: waits behind a running turn. Of a client alone: `sending`, in its outbox; `failed`, `problem` says why, it can be sent again or dropped.',
  }),
  isSteer: optional(Type.Boolean({ description: 'It joined a running turn.' })),
  liveDictation: optional(Type.Boolean({ description: 'It was spoken and sent as it was heard.' })),
  clientId: optional(text),
  problem: optional(text),
  origin: optional(origin),
  saidBy: optional(Type.String({ description: 'Name of its author, if that is not the owner.' })),
});

export const assistantSchema = Type.Object({
  ...base,
  ...removable,
  kind: Type.Literal('assistant'),
  text,
  reasoning: text,
  isStreaming: Type.Boolean({ description: 'Until the reply is whole.' }),
  turnMs: optional(Type.Number({ description: 'Of the reply that a turn ended with: how long the turn took, in milliseconds.' })),
});

const toolStates = oneOf('writing', 'queued', 'waiting', 'running', 'ok', 'failed', 'denied', 'stopped', 'interrupted', 'expired');
const taskSchema = Type.Object({
  taskId: text,
  goal: text,
  model: optional(text),
  text: Type.String({ description: 'Its newest words.' }),
  messageId: optional(text),
  calls: Type.Array(
    Type.Object({
      ...{ callId: text, name: text, args: optional(Type.Unknown()), subject: optional(text) },
      ...removable,
      isOk: optional(Type.Boolean({ description: 'Left out while it runs.' })),
    }),
  ),
  reason: optional(Type.String({ description: 'Its outcome; left out while it runs.' })),
  rounds: optional(Type.Integer()),
  durationMs: optional(Type.Number()),
});

export const toolSchema = Type.Object({
  ...base,
  ...removable,
  kind: Type.Literal('tool'),
  callId: text,
  messageId: optional(Type.String({ description: 'Of the reply that made the call.' })),
  name: text,
  state: Type.Unsafe<Type.Static<typeof toolStates>>({
    ...toolStates,
    description:
      '`writing`: the model still writes the call; `queued`: others of its reply come first; `waiting`: a person is asked; `interrupted`: it has no result.',
  }),
  startedAt: optional(Type.String({ description: 'ISO 8601: since when it runs.' })),
  argsText: Type.String({ description: 'JSON text of the arguments as far as written; empty once `args` has them.' }),
  args: optional(Type.Record(text, Type.Unknown())),
  icon: optional(Type.String({ description: 'The name of a picture, as the owner of the tool says.' })),
  verb: optional(Type.String({ description: 'Action of the call, for clients that show it in words: `read`, `run`.' })),
  subject: optional(Type.String({ description: 'Subject of the call, in one line, from the owner of the tool.' })),
  progress: Type.Array(text, { description: 'While it runs: the newest lines, at most 200.' }),
  compose: optional(
    Type.Object({ path: text, text, lines: Type.Integer(), isDone: Type.Boolean() }, { description: 'The file that the call writes, as it is being written.' }),
  ),
  ok: optional(Type.Boolean({ description: 'Its outcome, as reported to the model.' })),
  output: optional(text),
  durationMs: optional(Type.Number()),
  artifactId: optional(text),
  truncated: optional(Type.Boolean()),
  untrusted: optional(Type.Boolean({ description: "The output holds other people's text." })),
  fromWorkspace: optional(Type.Boolean({ description: "That text is of the workspace's own files." })),
  images: optional(Type.Array(file)),
  view: optional(viewField),
  approval: optional(
    Type.Object({
      ...{ approvalId: text, ...ofCall, name: text, args: Type.Record(text, Type.Unknown()), effects: Type.Array(text) },
      reason: Type.String({ description: 'Why it is asked.' }),
      preview: optional(previewSchema),
      rehearsal: optional(rehearsalSchema),
      remembers: optional(Type.String({ description: 'The rule that remembering the decision would store, as a sentence; left out if none is stored.' })),
      always: optional(Type.String({ description: 'Scope of such a rule, in a few words.' })),
      kinds: optional(Type.Array(text, { description: 'Kinds of calls that such a rule may be about instead, narrowest first.' })),
      since: optional(Type.String({ description: 'ISO 8601: when it was asked.' })),
      expiresAt: optional(Type.String({ description: 'ISO 8601: time of its automatic rejection; left out if it waits without a limit.' })),
    }),
  ),
  decision: optional(
    Type.Object({
      ...{ decision: decisionNames, by: text, reason: optional(text) },
      saidBy: optional(Type.String({ description: 'Name of the person who decided, if that is not the owner.' })),
    }),
  ),
  question: optional(Type.Object({ askId: text, ...ofCall, prompt: text, options: optional(Type.Array(text)), since: text })),
  answer: optional(text),
  answeredBy: optional(Type.String({ description: 'Name of the person who answered, if that is not the owner.' })),
  task: optional(taskSchema),
});

export const noteSchema = Type.Object({
  ...base,
  kind: oneOf('system', 'error'),
  text,
  code: optional(Type.String({ description: 'The reason of an ending, the code of an error, else the kind of the event.' })),
  data: optional(Type.Unknown({ description: 'Data of the plugin for its own view of the event.' })),
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
    untrusted: optional(Type.Boolean({ description: "Other people's text is in it." })),
  },
  { description: 'A message of a plugin, outside of a turn.' },
);

export const runningSchema = Type.Object({
  turnId: text,
  model: optional(text),
  startedAt: text,
  waitingFor: oneOf('model', 'tool', 'approval', 'answer', 'retry'),
  since: Type.String({ description: 'ISO 8601: since when it waits for that.' }),
  retry: optional(
    Type.Object(
      { attempt: Type.Integer(), of: Type.Integer(), reason: text, until: text },
      { description: 'While it waits for `retry`: what the model provider did, which attempt follows, and when (ISO 8601).' },
    ),
  ),
});

export const entrySchema = Type.Union([userSchema, assistantSchema, toolSchema, noteSchema, announcementSchema]);
