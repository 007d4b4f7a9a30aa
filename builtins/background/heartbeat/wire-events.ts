// Defines the wire events of the heartbeat for clients. The heartbeat itself reads its ledger instead.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const run = { chatId: Type.String(), runId: Type.String() };
const surface = Type.Union([Type.Literal('off'), Type.Literal('trace'), Type.Literal('assistant')]);

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'heartbeat_scheduled',
    description: 'A heartbeat waits for a quiet moment.',
    schema: Type.Object({ ...run, dueAt: Type.String({ description: 'ISO 8601; not before.' }) }),
  },
  { name: 'heartbeat_started', description: 'The model call of a heartbeat begins.', schema: Type.Object(run) },
  {
    name: 'heartbeat_completed',
    description: 'A heartbeat is over.',
    schema: Type.Object({
      ...run,
      summary: Type.String(),
      surface,
      nudge: Type.Optional(Type.Object({ text: Type.String(), confidence: Type.Number() }, { description: 'Left out if none is shown.' })),
      failure: Type.Optional(Type.String({ description: 'Why it came to nothing.' })),
    }),
  },
  {
    name: 'heartbeat_skipped',
    description: 'A heartbeat that waited does not take place, or was ended by a turn.',
    schema: Type.Object({ ...run, reason: Type.String() }),
  },
  {
    name: 'heartbeat_changed',
    description: 'A user muted the heartbeat, changed the settings of a chat for it, or answered a nudge.',
    schema: Type.Object({ chatId: Type.Optional(Type.String()) }),
  },
].map((event) => ({ ...event, keep: 'live' as const, permission: 'chats.read' as const }));
