// Shapes that the events and the routes of approvals and questions share.
import * as Type from 'typebox';
import type { Principal } from 'agent-harness/plugins/http';

export const previewSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('command'),
    command: Type.String(),
    cwd: Type.String(),
    network: Type.Optional(Type.Boolean({ description: 'It runs with network.' })),
  }),
  Type.Object({ kind: Type.Literal('diff'), path: Type.String(), diff: Type.String() }),
]);

const principal = Type.Optional(Type.Unsafe<Principal>({ type: 'object', description: 'Who said so: kind, id, name, role.' }));
const callFields = { chatId: Type.String(), turnId: Type.String(), callId: Type.String() };

export const decisionNames = Type.Union([Type.Literal('approve'), Type.Literal('reject'), Type.Literal('edit')]);

export const approvalSchema = Type.Object({
  approvalId: Type.String(),
  ...callFields,
  name: Type.String({ description: 'The tool.' }),
  args: Type.Unknown({ description: 'The arguments of the call.' }),
  effects: Type.Array(Type.String()),
  reason: Type.String({ description: 'Why it is asked, as a sentence.' }),
  preview: Type.Optional(previewSchema),
  remembers: Type.Optional(
    Type.String({ description: 'What remembering the decision for the chat would keep, as a sentence; left out where nothing is kept.' }),
  ),
  expiresAt: Type.Optional(Type.String({ description: 'ISO 8601; the call is rejected then. Left out where it waits without a limit.' })),
});

export const decidedSchema = Type.Object({
  approvalId: Type.String(),
  ...callFields,
  decision: decisionNames,
  by: Type.Union(['user', 'rule', 'judge', 'yolo', 'timeout', 'abort'].map((by) => Type.Literal(by))),
  principal,
  args: Type.Optional(Type.Unknown({ description: 'As edited.' })),
  reason: Type.Optional(Type.String()),
});

export const questionSchema = Type.Object({
  askId: Type.String(),
  ...callFields,
  prompt: Type.String(),
  options: Type.Optional(Type.Array(Type.String())),
  since: Type.String({ description: 'ISO 8601.' }),
});

export const answeredSchema = Type.Object({ askId: Type.String(), ...callFields, answer: Type.String(), principal });
