// The events of a turn as clients see them.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';
import type { Principal } from 'agent-harness/plugins/http';

const inTurn = { chatId: Type.String(), turnId: Type.String() };
const inCall = { ...inTurn, callId: Type.String() };
const usage = Type.Object({ input: Type.Number(), output: Type.Number(), cached: Type.Number(), cost: Type.Optional(Type.Number()) });

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'message_accepted',
    description: "A user's message is on disk; its turn starts, waits in the queue, or already runs (a steer).",
    schema: Type.Object({
      ...inTurn,
      messageId: Type.String(),
      text: Type.String(),
      attachments: Type.Array(
        Type.Object({
          ...{ attachmentId: Type.String(), name: Type.String(), mimeType: Type.String(), bytes: Type.Integer() },
          ...{ artifactId: Type.Optional(Type.String()), characters: Type.Optional(Type.Integer()), note: Type.Optional(Type.String()) },
        }),
      ),
      clientId: Type.Optional(Type.String()),
      isSteer: Type.Optional(Type.Boolean()),
      principal: Type.Optional(Type.Unsafe<Principal>({ type: 'object', description: 'Who sent it: kind, id, name, role.' })),
    }),
  },
  {
    name: 'steer_heard',
    description: 'Messages that joined the running turn are part of what the model reads from here on.',
    schema: Type.Object({ ...inTurn, messageIds: Type.Array(Type.String()) }),
  },
  { name: 'turn_start', description: 'A turn begins.', schema: Type.Object({ ...inTurn, messageId: Type.String(), model: Type.String() }) },
  {
    name: 'text',
    description: 'More text of a message. `offset` counts UTF-16 units, so a repeated delta is harmless.',
    schema: Type.Object({
      ...inTurn,
      messageId: Type.String(),
      offset: Type.Integer(),
      delta: Type.String(),
      channel: Type.Union([Type.Literal('user'), Type.Literal('trace'), Type.Literal('reasoning')]),
    }),
  },
  {
    name: 'tool_start',
    description: 'First without arguments, when the model begins to write the call; then with them, when they are complete.',
    schema: Type.Object({
      ...inCall,
      messageId: Type.String(),
      name: Type.String(),
      args: Type.Optional(Type.Unknown()),
      argsText: Type.Optional(Type.String()),
    }),
  },
  {
    name: 'tool_running',
    description: 'The turn of this call has come: it is checked, decided about, and run. Until then it waits behind other calls of its reply.',
    schema: Type.Object(inCall),
  },
  { name: 'tool_delta', description: 'More of the arguments, as JSON text.', schema: Type.Object({ ...inCall, argsDelta: Type.String() }) },
  { name: 'tool_progress', description: 'A line from a running tool.', schema: Type.Object({ ...inCall, note: Type.String() }) },
  {
    name: 'tool_result',
    description: 'How a call ended. `output` is what the model reads; the rest of a long output is the artifact.',
    schema: Type.Object({
      ...inCall,
      name: Type.String(),
      ok: Type.Boolean(),
      output: Type.String(),
      durationMs: Type.Number(),
      artifactId: Type.Optional(Type.String()),
      truncated: Type.Optional(Type.Boolean()),
      untrusted: Type.Optional(Type.Boolean()),
      notRun: Type.Optional(Type.Boolean({ description: 'The turn ended before the turn of this call came.' })),
      images: Type.Optional(Type.Array(Type.Object({ mimeType: Type.String(), attachmentId: Type.String() }))),
    }),
  },
  {
    name: 'compose_preview',
    description: 'What is new in a file that the model is writing; never the whole text again.',
    schema: Type.Object({
      ...inCall,
      path: Type.String(),
      offset: Type.Integer(),
      delta: Type.String(),
      lines: Type.Integer(),
      done: Type.Boolean(),
    }),
    keep: 'live',
  },
  {
    name: 'turn_end',
    description: 'Exactly one for each `turn_start`, also after a crash.',
    schema: Type.Object({
      ...inTurn,
      reason: Type.Union(['done', 'aborted', 'error', 'round_limit', 'interrupted', 'budget'].map((reason) => Type.Literal(reason))),
      durationMs: Type.Number(),
      rounds: Type.Integer(),
      tools: Type.Integer(),
      usage,
      error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
      isUnqueued: Type.Optional(Type.Literal(true, { description: 'It waited behind a turn that was stopped, and never began.' })),
    }),
  },
  {
    name: 'subtask_start',
    description: 'A task begins: a turn of its own inside this one, started by the call.',
    schema: Type.Object({ ...inCall, taskId: Type.String(), goal: Type.String(), model: Type.String() }),
  },
  {
    name: 'subtask_text',
    description: 'What a task says.',
    schema: Type.Object({ ...inTurn, taskId: Type.String(), messageId: Type.String(), offset: Type.Integer(), delta: Type.String() }),
  },
  {
    name: 'subtask_tool',
    description: 'A call of a task: first with its arguments, then with how it ended and the beginning of its output.',
    schema: Type.Object({
      ...inTurn,
      taskId: Type.String(),
      toolCallId: Type.String(),
      name: Type.String(),
      args: Type.Optional(Type.Unknown()),
      ok: Type.Optional(Type.Boolean()),
      output: Type.Optional(Type.String()),
      durationMs: Type.Optional(Type.Number()),
    }),
  },
  {
    name: 'subtask_end',
    description: 'Exactly one for each `subtask_start`, except where the process died: then the end of the turn is its end.',
    schema: Type.Object({
      ...inCall,
      taskId: Type.String(),
      reason: Type.Union(['done', 'aborted', 'error', 'round_limit', 'interrupted', 'budget'].map((reason) => Type.Literal(reason))),
      durationMs: Type.Number(),
      rounds: Type.Integer(),
      tools: Type.Integer(),
      usage,
    }),
  },
  {
    name: 'conversation_reset',
    description: 'What was said before is forgotten; it stays in the transcript.',
    schema: Type.Object({ chatId: Type.String(), mode: Type.Union([Type.Literal('soft'), Type.Literal('hard')]) }),
  },
];
