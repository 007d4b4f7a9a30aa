// Registers vault episodes: after each user turn, writes a note with request, calls and answer to the vault.
import { createUnderWay } from '#lib/async';
import { messageOf } from '#lib/errors';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/vault';
import type {} from 'agent-harness/plugins/agent';
import { isOwnersWord } from 'agent-harness/transcript';
import { hear, see, takeEpisode } from './episode.ts';

export const manifest = {
  name: 'vault-episodes',
  requires: ['vault', 'turns'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: false,
      env: 'AGENT_MEMORY_EPISODE',
      tab: 'memory_vault',
      title: 'Episode notes',
      description: 'Writes a note into the vault after each turn: what was asked, the tools that were used, the files that changed, the answer. Needs a vault.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { vault, turns } = registry.services;
  if (!vault.isOn) return;
  const writing = createUnderWay();

  emitter.tap('tool.after', (outcome, call) => (registry.config.isOn ? see(outcome, call) : undefined));
  emitter.tap('turn.finalize', (answer, turn) => (registry.config.isOn ? hear(answer, turn) : undefined), { order: 'post' });
  emitter.tap('turn.after', (turn, end) => {
    if (!registry.config.isOn || !turn.isRoot || !isOwnersWord(turn)) return;
    const keep = async (): Promise<void> => {
      const { chatId, turnId } = turn;
      if (!(await turns.removalSignal(chatId, turnId)).aborted) await vault.keep(takeEpisode(turn, end, new Date()), { chatId, turnId });
    };
    void writing.add(keep().catch((fault: unknown) => registry.log.warn(`no episode note for turn ${turn.turnId}: ${messageOf(fault)}`)));
  });
  registry.defer(() => writing.idle(), 'episode notes');
}
