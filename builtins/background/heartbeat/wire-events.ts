// Defines the heartbeat's wire events for clients. The heartbeat itself reads its ledger instead.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const run = { chatId: Type.String(), runId: Type.String() };
const surface = Type.Union([Type.Literal('off'), Type.Literal('trace'), Type.Literal('assistant')]);

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'heartbeat_scheduled',
    description: 'A heartbeat run waits until the chat is idle.',
    schema: Type.Object({ ...run, dueAt: Type.String({ description: 'Earliest start, ISO 8601.' }) }),
  },
  { name: 'heartbeat_started', description: 'The model call of a heartbeat run starts.', schema: Type.Object(run) },
  {
    name: 'heartbeat_completed',
    description: 'A heartbeat run ended.',
    schema: Type.Object({
      ...run,
      summary: Type.String(),
      surface,
      nudge: Type.Optional(Type.Object({ text: Type.String(), confidence: Type.Number() }, { description: 'The nudge that is shown; omitted if none is.' })),
      failure: Type.Optional(Type.String({ description: 'Reason why the run has no result.' })),
    }),
  },
  {
    name: 'heartbeat_skipped',
    description: 'A waiting heartbeat run was cancelled, or a turn ended the run.',
    schema: Type.Object({ ...run, reason: Type.String() }),
  },
  {
    name: 'heartbeat_changed',
    description: 'A user muted the heartbeat, changed the nudge threshold of a chat, or answered a nudge.',
    schema: Type.Object({ chatId: Type.Optional(Type.String()) }),
  },
].map((event) => ({ ...event, keep: 'live' as const, permission: 'chats.read' as const }));
