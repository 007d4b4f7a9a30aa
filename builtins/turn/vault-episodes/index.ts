// Registers vault episodes: after each of the user's turns, a note with the request, the calls and the answer is written to the vault.
import { createUnderWay } from '#lib/async';
import { messageOf } from '#lib/errors';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/vault';
import type {} from 'agent-harness/plugins/agent';
import { isOwnersWord } from 'agent-harness/transcript';
import { recordAnswer, recordCall, takeEpisode } from './episode.ts';

export const manifest = {
  name: 'vault-episodes',
  requires: ['vault', 'turns'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_EPISODE',
      tab: 'memory_vault',
      title: 'Episode notes',
      description: 'After each turn, writes a note to the vault with the request, the used tools, the changed files and the answer. Needs a vault.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { vault, turns } = registry.services;
  if (!vault.isOn) return;
  const writing = createUnderWay();

  emitter.tap('tool.after', (outcome, call) => (registry.config.isOn ? recordCall(outcome, call) : undefined));
  emitter.tap('turn.finalize', (answer, turn) => (registry.config.isOn ? recordAnswer(answer, turn) : undefined), { order: 'post' });
  emitter.tap('turn.after', (turn, end) => {
    if (!registry.config.isOn || !turn.isRoot || !isOwnersWord(turn)) return;
    const keep = async (): Promise<void> => {
      const { chatId, turnId } = turn;
      if (!(await turns.removalSignal(chatId, turnId)).aborted) await vault.keep(takeEpisode(turn, end, new Date()), { chatId, turnId });
    };
    void writing.add(keep().catch((fault: unknown) => registry.log.warn(`the episode note of turn ${turn.turnId} could not be written: ${messageOf(fault)}`)));
  });
  registry.defer(() => writing.idle(), 'episode notes');
}
