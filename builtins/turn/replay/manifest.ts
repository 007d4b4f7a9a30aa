// Declares the name, services, errors and settings of replay.
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
        'Keeps with each chat what its turns were told, without secrets, so that they can be replayed. It stays on this machine and goes with the chat.',
      apply: 'live',
    }),
    maxTurns: Type.Integer({
      default: 100,
      minimum: 1,
      maximum: 1_000,
      env: 'AGENT_REPLAY_TURNS',
      tab: 'advanced',
      title: 'Recorded turns of a chat',
      description: 'So many of the newest turns of a chat can be replayed; together they take 32 MB at most.',
      apply: 'live',
    }),
  }),
  errors: {
    NO_RECORD: { message: "There is no record of the turn '{turnId}', so it cannot be replayed: {why}.", status: 404 },
    NOT_FOUND: { message: "This chat has no turn '{turnId}' that is over.", status: 404 },
    INVALID_CHANGE: { message: '{why}', status: 400 },
  },
} as const satisfies PluginManifest;
