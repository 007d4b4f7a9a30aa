// Registers the vault: searches, reads and links Markdown notes in one of the user's folders, and writes notes if permitted.
import { lazy } from '#lib/async';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/turn/checkpoints';
import type {} from 'agent-harness/builtins/turn/why';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import { createActivity } from './turn/activity.ts';
import { vaultFamily } from './family.ts';
import { createJobs } from './turn/jobs.ts';
import type { VaultPorts } from './ports.ts';
import { createTurnWatch } from './turn/turn-watch.ts';
import { activityEvent } from './turn/vault-event.ts';
import { vaultManifest } from './vault-manifest.ts';

export const manifest = vaultManifest;

const keptName = 'vault';

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config } = registry;
  const isOn = config.path !== '';
  const watch = createTurnWatch(config);
  const activity = createActivity(config, (payload) => emitter.emit('vault_activity', payload));
  const jobs = createJobs(registry.signal, (fault) => registry.log.warn(`a note could not be written: ${String(fault)}`));
  const ports: VaultPorts = {
    path: config.path,
    home: services.product.home,
    ownFolder: registry.plugin.dataDir,
    settings: config,
    storage: services.storage,
    models: services.models,
    checkpoints: () => services.checkpoints,
    log: registry.log,
    notWritten: (path, why, cause) => registry.error('NOT_WRITTEN', { path, why }, cause),
    isTainted: watch.isTainted,
    countWrite: watch.countWrite,
    kept: (note) => services.why?.kept({ keeper: keptName, ...note }),
    note: activity.note,
    counters: activity.counters,
  };
  const load = lazy(() => import('./vault-tools.ts').then(({ createVaultCode }) => createVaultCode(ports)));

  registry.provide('vault', () => ({
    isOn,
    async keep(note, origin) {
      if (!isOn) throw ports.notWritten(note.path, 'no vault is configured (AGENT_VAULT_PATH)');
      return (await load()).keep(note, origin);
    },
  }));
  registry.add('wire_event', activityEvent);
  if (!isOn) return;

  if (services.why)
    registry.add('kept_texts', {
      name: keptName,
      where: 'the vault',
      find: async (id) => (await load()).find(id),
      drop: async (id, version) => (await load()).drop(id, version),
    });
  const hasUndo = 'checkpoints' in services;
  registry.add(
    'tool_family',
    vaultFamily(hasUndo, async () => (await load()).tools),
  );
  registry.add('approval_rule', {
    name: 'vault-writes',
    decide({ tool, turn }) {
      if (tool.plugin !== 'vault' || !tool.effects?.includes('write')) return undefined;
      if (turn.isTainted) return { verdict: 'ask', reason: 'This turn read external content, and the call would store a note in the vault.' };
      return { verdict: 'allow', reason: 'Notes are written only in the folder of the agent, and text of the user is kept.' };
    },
  });
  emitter.tap('tool.before', (call) => watch.guard(call));
  emitter.tap('tool.after', (outcome, call) => watch.see(outcome, call));
  emitter.tap('turn.finalize', (answer, turn) => watch.hear(answer, turn), { order: 'post' });
  emitter.tap('turn.after', (turn, end) => {
    const finished = watch.finish(turn, end);
    if (!finished) return;
    const { chatId, turnId } = finished;
    jobs.start(chatId, async (signal) => {
      const removal = await services.turns.removalSignal(chatId, turnId);
      const writing = (await load()).autoWriter(finished, AbortSignal.any([signal, removal]));
      await writing.catch((fault: unknown) => (removal.aborted ? undefined : Promise.reject(fault as Error)));
    });
  });
  emitter.tap('entry.removed', async ({ turnId }) => {
    if (turnId !== undefined) await (await load()).dropNotes(turnId);
  });
  emitter.tap('chat.close', (chatId) => jobs.end(chatId));
  registry.defer(() => jobs.settled(), 'notes');
}
