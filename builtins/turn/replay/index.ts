// Replay: records what a turn is told, and runs it again from that: as it was, or with something changed.
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
import { recordTurns, type AskModel } from './record-turns.ts';
import type { Replays } from './replays.ts';

export { manifest };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config } = registry;
  const { store, knownSecrets, idle } = recordTurns(
    registry,
    emitter,
    () => config,
    () => played,
  );
  let played: AskModel | undefined;
  registry.defer(idle, 'records of turns');
  let loading: Promise<Replays> | undefined;
  const replays = (): Promise<Replays> =>
    (loading ??= import('./replays.ts').then(({ createReplays }) =>
      createReplays({
        ...{ services, userPlugins: services.userPlugins, isOwner: (asker) => services.http?.permits(asker, undefined) },
        asRead: (chatId, messages) => emitter.call('conversation.read', [messages, { chatId }]),
        store,
        secrets: knownSecrets,
        error: registry.error,
        signal: registry.signal,
      }),
    ));
  const serve = async (): Promise<number> => {
    const { serveApart, toParent } = await import('./apart/play-apart.ts');
    const { kernel, tools, turns, userPlugins } = services;
    return serveApart({ emitter, kernel, tools, turns, userPlugins, error: registry.error, answerModels: (by) => (played = by) }, toParent(registry.error));
  };
  registry.provide('turnRecords', () => ({
    pack: async (...turn) => (await replays()).pack(...turn),
    play: async (packed) => (await replays()).play(packed),
    secrets: knownSecrets,
  }));
  registry.add('view', {
    name: 'replay',
    title: 'Replay',
    description: 'The turns of this chat that can be run again: as they were, or with something changed, beside each other.',
    icon: 'list',
    place: 'none',
    permission: 'chats.read',
    actPermission: 'chats.write',
    changesOn: ['turn_end'],
    changesNothing: true,
    parameters: {
      type: 'object',
      title: 'One turn alone',
      properties: { turn: { type: 'string', title: 'Turn', description: 'This one alone; all that are recorded when left out.', maxLength: 100 } },
    },
    read: async (context) => (await import('./replay-view.ts')).readView(await replays(), context),
    act: async (call, context) => (await import('./replay-view.ts')).actInView(await replays(), call, context),
  });
  registry.add('cli_command', {
    name: 'replay',
    summary: 'Runs a recorded turn again, offline: as it was, or with something changed.',
    usage: '[turn | file]',
    options: {
      chat: { type: 'string', description: 'Of this chat; the active one when left out.' },
      model: { type: 'string', description: 'With another model.' },
      prompt: { type: 'string', description: 'With another message of the user.' },
      system: { type: 'string', description: 'With another system prompt.' },
      tool: { type: 'string', multiple: true, description: 'With another result of a call: CALL=TEXT, or CALL=@FILE.' },
      setting: { type: 'string', multiple: true, description: 'With another setting: NAME=VALUE.' },
      plugin: { type: 'string', multiple: true, description: 'With another version of a plugin: its file or folder, or NAME=PATH.', values: 'file' },
      without: { type: 'string', multiple: true, description: 'With this plugin left out.' },
      'ask-model': { type: 'boolean', description: 'What the record cannot answer, the model is asked; that costs.' },
      'save-test': { type: 'string', description: 'Writes the turn as a test into this file.', values: 'file' },
      test: { type: 'string', description: 'Runs a saved test: fails when the turn goes differently.', values: 'file' },
      json: { type: 'boolean', description: 'As JSON.' },
      apart: { type: 'boolean', description: 'For the program itself: plays what another one sends, with the plugins of this home folder.' },
    },
    run: async (input, output) => (input.options['apart'] === true ? serve() : (await import('./replay-command.ts')).runReplay(await replays(), input, output)),
  });
}
