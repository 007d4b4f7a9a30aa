// Registers notes sync with a control plane. Other plugins define the sync targets, which the account tier unlocks.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import type { SyncTarget } from './contract.ts';
import { syncRoutes } from './routes.ts';

export const manifest = {
  name: 'notes-sync',
  requires: ['notes', 'controlPlane', 'hubSite', 'license', 'storage', 'chats', 'product'],
  provides: ['notesSync'],
  events: ['notes_synced'],
  errors: { NOT_FOUND: { message: "There are no synchronised notes for '{what}' on this machine.", status: 404 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, plugin } = registry;
  const offered = new Map<SyncTarget['name'], SyncTarget>();
  const targets = (): readonly SyncTarget[] => [...offered.values()];
  const ending = new AbortController();
  const sync = lazy(() =>
    import('./open-sync.ts').then(({ openNotesSync }) => openNotesSync({ services, folder: plugin.dataDir, emitter, signal: ending.signal, targets })),
  );
  registry.provide('notesSync', () => ({
    run: async (target, place, options) => (await sync()).run(target, place, options),
    preview: async (target, place) => (await sync()).preview(target, place),
    firstTime: async (target, chatId) => (await sync()).firstTime(target, chatId),
    state: async () => (await sync()).state(),
    stop: async (target, place) => (await sync()).stop(target, place),
    placesOf: async (target, chatId) => (await sync()).placesOf(target, chatId),
    offer(target) {
      offered.set(target.name, target);
      return () => void offered.delete(target.name);
    },
  }));
  registry.add('wire_event', {
    name: 'notes_synced',
    description: 'A sync of notes with the control plane succeeded or failed.',
    permission: 'memory.read',
    keep: 'live',
    schema: Type.Object({
      ...{ target: Type.String(), workspace: Type.String(), pulled: Type.Integer(), pushed: Type.Integer(), conflicts: Type.Integer() },
      problem: Type.Optional(Type.String()),
    }),
  });
  const chatId = async (): Promise<string> => (await services.chats.get()).chatId;
  for (const route of syncRoutes({ sync, targets, chatId, makeError: registry.error.bind(registry) })) registry.add('route', route);
  registry.defer(async () => {
    ending.abort();
    await (await sync.made?.catch(() => undefined))?.idle();
  }, 'notes-sync');
}
