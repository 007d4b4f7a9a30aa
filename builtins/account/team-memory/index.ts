// Team memory: notes of a workspace that a whole team shares. What teammates wrote is found like any note, and never taken for the person's words.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { SyncTarget } from 'agent-harness/builtins/account/notes-sync';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/settings';
import type { TeamNotes } from './team-notes.ts';

export const manifest = {
  name: 'team-memory',
  entitlement: 'team.shared_memory',
  requires: ['notesSync'],
  optional: ['settings'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_TEAM_MEMORY_SYNC',
      tab: 'memory_vault',
      title: 'Share notes with the team',
      description:
        "Before a turn the team's notes for this workspace come in, after it the ones that changed here go out. The first time, you are shown what would leave and asked.",
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

const target: SyncTarget = { name: 'team', path: '/api/team/memory/notes', isShared: true };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log } = registry;
  const { notesSync, settings } = services;
  let opening: Promise<TeamNotes> | undefined;
  const notes = (): Promise<TeamNotes> =>
    (opening ??= import('./team-notes.ts').then(({ createTeamNotes }) =>
      createTeamNotes({ notesSync, target, settings, warn: (message) => log.warn(message) }),
    ));
  registry.defer(notesSync.offer(target), 'team-memory target');
  registry.add('tool', {
    name: 'team_memory_sync',
    description:
      "Brings the notes of this workspace here and on the team's control plane to the same state. What teammates wrote is their word, not the user's.",
    input: Type.Object({}, { additionalProperties: false }),
    effects: ['write', 'network'],
    undo: 'none',
    replay: 'idempotent',
    display: { icon: 'brain' },
    needsApproval: async (_: never, { chatId }) => (await notes()).preview(chatId),
    load: async () => (await notes()).tool,
  });
  emitter.tap('turn.before', async ({ chatId, isRoot }) => (config.isOn && isRoot ? (await notes()).pullSoon(chatId) : undefined));
  emitter.tap('turn.after', ({ chatId, isRoot }) => {
    if (config.isOn && isRoot) void notes().then((open) => open.pushLater(chatId));
  });
}
