// Declares the events of a turn that clients receive.
import type { WireEvent } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import type { ReadEvent } from 'agent-harness/transcript';
import { eventSchemas } from 'agent-harness/transcript/events';
import { shownAs } from './tool-call-display.ts';

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'message_accepted',
    description: "A user's message is on disk; its turn starts, waits in the queue, or is already running (a steer).",
    permission: 'chats.read',
    schema: eventSchemas.message_accepted,
  },
  {
    name: 'announcement',
    description: 'A plugin added a message outside a turn. It is neither from the user nor an answer of the model.',
    permission: 'chats.read',
    schema: eventSchemas.announcement,
  },
  {
    name: 'steer_heard',
    description: 'Messages that joined the running turn are part of the conversation from here on.',
    permission: 'chats.read',
    schema: eventSchemas.steer_heard,
  },
  { name: 'turn_start', description: 'A turn begins.', permission: 'chats.read', schema: eventSchemas.turn_start },
  {
    name: 'text',
    description: 'The next part of the text of a message. `offset` counts UTF-16 units, so clients can ignore a repeated part.',
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
    description: 'A tool call. Sent twice: without arguments when the model begins to write the call, and with the complete arguments.',
    permission: 'chats.read',
    schema: eventSchemas.tool_start,
  },
  {
    name: 'tool_running',
    description: 'Processing of the call starts: check, approval, execution. Before this event, the call waits for earlier calls of its reply.',
    permission: 'chats.read',
    schema: eventSchemas.tool_running,
  },
  { name: 'tool_delta', description: 'The next part of the arguments, as JSON text.', permission: 'chats.read', schema: eventSchemas.tool_delta },
  { name: 'tool_progress', description: 'A line from a running tool.', permission: 'chats.read', schema: eventSchemas.tool_progress },
  {
    name: 'tool_result',
    description: 'The result of a call. The model reads `output`; the artifact has the rest of a long output.',
    permission: 'chats.read',
    schema: eventSchemas.tool_result,
  },
  {
    name: 'compose_preview',
    description: 'The newest part of a file that the model is writing. Earlier parts are not repeated.',
    permission: 'chats.read',
    schema: eventSchemas.compose_preview,
    keep: 'live',
  },
  {
    name: 'turn_end',
    description: 'The turn ended. Each `turn_start` is followed by exactly one `turn_end`, even after a crash.',
    permission: 'chats.read',
    schema: eventSchemas.turn_end,
  },
  {
    name: 'subtask_start',
    description: 'A task begins: a nested turn that a tool call started.',
    permission: 'chats.read',
    schema: eventSchemas.subtask_start,
  },
  { name: 'subtask_text', description: 'The next part of the text of a task.', permission: 'chats.read', schema: eventSchemas.subtask_text },
  {
    name: 'subtask_tool',
    description: 'A tool call of a task. Sent twice: with the arguments, and with the status and the beginning of the output.',
    permission: 'chats.read',
    schema: eventSchemas.subtask_tool,
  },
  {
    name: 'subtask_end',
    description: 'The task ended. Each `subtask_start` is followed by exactly one `subtask_end`; after a crash, by the `turn_end` of its turn instead.',
    permission: 'chats.read',
    schema: eventSchemas.subtask_end,
  },
  {
    name: 'conversation_reset',
    description: 'The conversation was reset. The model no longer reads earlier entries, which stay in the transcript.',
    permission: 'chats.read',
    schema: eventSchemas.conversation_reset,
  },
  {
    name: 'entry_removed',
    description: 'The user removed a message or a call from the conversation. The journal keeps it, but no model reads it.',
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
