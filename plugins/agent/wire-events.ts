// Declares the events of a turn that clients receive.
import type { WireEvent } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import type { ReadEvent } from 'agent-harness/transcript';
import { eventSchemas } from 'agent-harness/transcript/events';
import { shownAs } from './shown-as.ts';

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'message_accepted',
    description: "A user's message is on disk; its turn starts, waits in the queue, or already runs (a steer).",
    permission: 'chats.read',
    schema: eventSchemas.message_accepted,
  },
  {
    name: 'announcement',
    description: 'A plugin said something by itself, outside of a turn: neither the words of the user nor an answer.',
    permission: 'chats.read',
    schema: eventSchemas.announcement,
  },
  {
    name: 'steer_heard',
    description: 'Messages that joined the running turn are part of what the model reads from here on.',
    permission: 'chats.read',
    schema: eventSchemas.steer_heard,
  },
  { name: 'turn_start', description: 'A turn begins.', permission: 'chats.read', schema: eventSchemas.turn_start },
  {
    name: 'text',
    description: 'More text of a message. `offset` counts UTF-16 units, so a repeated delta is harmless.',
    permission: 'chats.read',
    schema: eventSchemas.text,
  },
  {
    name: 'provider_data',
    description: 'Data of a reply that the model provider needs in later requests: signed or encrypted reasoning. Clients ignore it.',
    permission: 'owner',
    schema: eventSchemas.provider_data,
  },
  {
    name: 'tool_start',
    description: 'First without arguments, when the model begins to write the call; then with them, when they are complete.',
    permission: 'chats.read',
    schema: eventSchemas.tool_start,
  },
  {
    name: 'tool_running',
    description: 'The turn of this call has come: it is checked, decided about, and run. Until then it waits behind other calls of its reply.',
    permission: 'chats.read',
    schema: eventSchemas.tool_running,
  },
  { name: 'tool_delta', description: 'More of the arguments, as JSON text.', permission: 'chats.read', schema: eventSchemas.tool_delta },
  { name: 'tool_progress', description: 'A line from a running tool.', permission: 'chats.read', schema: eventSchemas.tool_progress },
  {
    name: 'tool_result',
    description: 'The result of a call. The model reads `output`; the artifact has the rest of a long output.',
    permission: 'chats.read',
    schema: eventSchemas.tool_result,
  },
  {
    name: 'compose_preview',
    description: 'The newest part of a file that the model is writing; never the whole text again.',
    permission: 'chats.read',
    schema: eventSchemas.compose_preview,
    keep: 'live',
  },
  { name: 'turn_end', description: 'Exactly one for each `turn_start`, also after a crash.', permission: 'chats.read', schema: eventSchemas.turn_end },
  {
    name: 'subtask_start',
    description: 'A task begins: a turn of its own inside this one, started by the call.',
    permission: 'chats.read',
    schema: eventSchemas.subtask_start,
  },
  { name: 'subtask_text', description: 'Text of a subtask.', permission: 'chats.read', schema: eventSchemas.subtask_text },
  {
    name: 'subtask_tool',
    description: 'A call of a task: first with its arguments, then with how it ended and the beginning of its output.',
    permission: 'chats.read',
    schema: eventSchemas.subtask_tool,
  },
  {
    name: 'subtask_end',
    description: 'Exactly one for each `subtask_start`, except if the process died: then the end of the turn is its end.',
    permission: 'chats.read',
    schema: eventSchemas.subtask_end,
  },
  {
    name: 'conversation_reset',
    description: 'The conversation of the model starts over; earlier entries stay in the transcript.',
    permission: 'chats.read',
    schema: eventSchemas.conversation_reset,
  },
  {
    name: 'entry_removed',
    description: 'A person removed a message or a call from the conversation: the journal keeps it, and no model reads it.',
    permission: 'chats.read',
    schema: eventSchemas.entry_removed,
  },
  {
    name: 'entry_restored',
    description: 'A removed message or call is part of the conversation again.',
    permission: 'chats.read',
    schema: eventSchemas.entry_restored,
  },
];

/** Returns the events; `completes` adds display data that calls in older journals lack. @param tools called when such a call is read */
export function listWireEvents(tools: () => Tools): readonly WireEvent[] {
  const completes = ({ icon, name, args }: ReadEvent<'tool_start'>): object | undefined =>
    icon === undefined ? shownAs(tools().find(name), typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : undefined) : undefined;
  return wireEvents.map((event) => (event.schema === eventSchemas.tool_start ? { ...event, completes } : event));
}
