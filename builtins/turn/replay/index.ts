// Registers replay, which records the inputs of turns and replays a turn from its record.
import { lazy } from '#lib/async';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/turn/replay';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/views';
import { manifest } from './manifest.ts';
import { recordTurns } from './record-turns.ts';

export { manifest };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config } = registry;
  const { store, knownSecrets, idle } = recordTurns(registry, emitter, () => config);
  registry.defer(idle, 'turn records');
  const replays = lazy(() =>
    import('./replays.ts').then(({ createReplays }) => createReplays({ services, store, secrets: knownSecrets, error: registry.error })),
  );
  registry.provide('turnRecords', () => ({
    pack: async (...turn) => (await replays()).pack(...turn),
    play: async (packed) => (await replays()).play(packed),
    secrets: knownSecrets,
  }));
  registry.add('view', {
    name: 'replay',
    title: 'Replay',
    description: 'Lists the turns of this chat that can be replayed.',
    icon: 'list',
    place: 'none',
    permission: 'chats.read',
    actPermission: 'chats.write',
    changesOn: ['turn_end'],
    changesNothing: true,
    parameters: {
      type: 'object',
      title: 'Single turn',
      properties: { turn: { type: 'string', title: 'Turn', description: 'Turn to show; default: all recorded turns.', maxLength: 100 } },
    },
    read: async (context) => (await import('./replay-view.ts')).readView(await replays(), context),
    act: async (call, context) => (await import('./replay-view.ts')).actInView(await replays(), call, context),
  });
  registry.add('cli_command', {
    name: 'replay',
    summary: 'Replays a recorded turn offline.',
    usage: '[turn | file]',
    options: {
      chat: { type: 'string', description: 'Chat of the turn, by id (default: the active chat).' },
      'save-test': { type: 'string', description: 'Writes the turn to this file as a test.', values: 'file' },
      test: { type: 'string', description: 'Runs a saved test; fails if the turn differs.', values: 'file' },
      json: { type: 'boolean', description: 'Prints JSON.' },
    },
    run: async (input, output) => (await import('./replay-command.ts')).runReplay(await replays(), input, output),
  });
}
