// Defines the manifest of the replay plugin: services, errors and settings.
import * as Type from 'typebox';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'replay',
  provides: ['turnRecords'],
  requires: ['chats', 'eventLog', 'models', 'product', 'storage', 'turns'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_REPLAY_RECORD',
      words: 'record replay reproduce',
      tab: 'advanced',
      title: 'Record turns',
      description:
        'Stores the inputs of each turn with its chat, without secrets, so that the turn can be replayed. The records stay on this machine and are deleted with the chat.',
      apply: 'live',
    }),
    maxTurns: Type.Integer({
      default: 100,
      minimum: 1,
      maximum: 1_000,
      env: 'AGENT_REPLAY_TURNS',
      tab: 'advanced',
      title: 'Recorded turns per chat',
      description: 'Number of newest turns of a chat that are recorded; together they use at most 32 MB.',
      apply: 'live',
    }),
  }),
  errors: {
    NO_RECORD: { message: "Turn '{turnId}' cannot be replayed because it has no record: {why}.", status: 404 },
    NOT_FOUND: { message: "This chat has no completed turn '{turnId}'.", status: 404 },
    INVALID_CHANGE: { message: '{why}', status: 400 },
  },
} as const satisfies PluginManifest;
