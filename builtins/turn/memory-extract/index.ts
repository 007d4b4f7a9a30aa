// Registers memory extraction: after a turn, one short model call selects the facts to remember.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import { isOwnersWord } from 'agent-harness/transcript';
import { createExtraction } from './extraction.ts';

export const manifest = {
  name: 'memory-extract',
  requires: ['notes', 'models', 'turns'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_AUTO_EXTRACT',
      words: 'remember learn about me forget privacy memory automatic',
      rank: 40,
      tab: 'memory_vault',
      title: 'Take notes automatically',
      description:
        'After each successful turn, a short model call selects up to five facts to remember. Notes of a turn with external content wait for your review.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, services, signal, log } = registry;
  const { notes, models, turns } = services;
  const extraction = createExtraction({ notes, models, turns, signal, warn: (message) => log.warn(message) });
  emitter.tap('turn.finalize', (answer, turn) => (config.isOn && turn.isRoot ? extraction.keepAnswer(turn, answer.text) : undefined), { order: 'post' });
  emitter.tap('turn.after', (turn, end) => {
    // A request by a plugin contains no facts about the user.
    if (config.isOn && turn.isRoot && isOwnersWord(turn) && end.reason === 'done') extraction.begin(turn);
  });
  emitter.tap('chat.close', (chatId) => extraction.stop(chatId));
  registry.defer(() => extraction.close(), 'extraction');
}
