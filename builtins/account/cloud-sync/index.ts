// Registers cloud sync: synchronises a user's notes between all of their machines through the control plane.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { SyncTarget } from 'agent-harness/builtins/account/notes-sync';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/settings';
import { cloudFamily } from './family.ts';

export const manifest = {
  name: 'cloud-sync',
  entitlement: 'pro.cloud_sync',
  requires: ['notesSync'],
  optional: ['settings'],
  config: Type.Object({
    isAuto: Type.Boolean({
      default: true,
      env: 'AGENT_CLOUD_SYNC_AUTO',
      words: 'backup synchronise devices upload',
      tab: 'session_ui',
      title: 'Sync notes automatically',
      description: 'After each turn, changed notes are uploaded to your account. Before the first upload, the notes are shown and you are asked.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

const target: SyncTarget = { name: 'cloud', path: '/api/pro/cloud_sync/notes', isShared: false };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log } = registry;
  const { notesSync } = services;
  registry.defer(notesSync.offer(target), 'cloud-sync target');
  registry.add(
    'tool_family',
    cloudFamily({ firstTime: (chatId) => notesSync.firstTime(target, chatId) }, async () =>
      (await import('./cloud-tools.ts')).createCloudTools(notesSync, target),
    ),
  );
  // The tools request approval themselves before the first upload; their own request takes precedence over this rule.
  registry.add('approval_rule', {
    name: 'cloud-notes',
    decide: ({ tool }) =>
      tool.plugin === manifest.name
        ? { verdict: 'allow', reason: 'Both sides contain the user’s own notes, and the discarded version of a conflict is stored.' }
        : undefined,
  });
  emitter.tap('turn.after', ({ chatId, isRoot }) => {
    if (!config.isAuto || !isRoot) return;
    // Not awaited: a failed upload is retried after a later turn.
    void import('./sync-later.ts')
      .then(({ syncChat }) => syncChat({ notesSync, target, chatId, settings: services.settings, variable: 'AGENT_CLOUD_SYNC_AUTO' }))
      .catch((fault: unknown) => log.warn(`notes could not be synced: ${String(fault)}`));
  });
}
