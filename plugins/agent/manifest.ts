// Declares the name, services, events and settings of the agent.
import { settingsSchema } from './settings-schema.ts';
import { errorTable } from './error-table.ts';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'agent',
  requires: ['product', 'storage', 'chats', 'eventLog', 'models', 'tools', 'artifacts', 'gate'],
  provides: ['turns', 'attachments'],
  events: [
    'message_accepted',
    'announcement',
    'steer_heard',
    'turn_start',
    'text',
    'provider_data',
    'tool_start',
    'tool_running',
    'tool_delta',
    'tool_progress',
    'tool_result',
    'compose_preview',
    'turn_end',
    'subtask_start',
    'subtask_text',
    'subtask_tool',
    'subtask_end',
    'conversation_reset',
    'entry_removed',
    'entry_restored',
  ],
  config: settingsSchema,
  errors: errorTable,
} as const satisfies PluginManifest;
