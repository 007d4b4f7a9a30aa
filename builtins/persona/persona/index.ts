// Registers the persona: the agent's character, created from one sentence and stored in files that the user can read and only this plugin writes.
import { lazy } from '#lib/async';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/turn/checkpoints';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import { isOwnersWord } from 'agent-harness/transcript';
import { createArtifactRegistry } from './artifact-registry.ts';
import { replySections } from './entry/reply-sections.ts';
import { createRoutes } from './entry/routes.ts';
import { setPersonaRule, setPersonaTool } from './entry/set-persona.ts';
import { changedEvent, progressEvent } from './entry/schemas.ts';
import { errorTable } from './error-table.ts';
import { lazyPersona } from './lazy-persona.ts';
import type { TrackCharacter } from './persona-parts.ts';
import { settingsSchema } from './settings-schema.ts';
import { characterKey, undoablePersona } from './undoable-persona.ts';

export const manifest = {
  name: 'persona',
  requires: ['product', 'storage', 'chats', 'models'],
  optional: ['turns', 'checkpoints'],
  provides: ['persona'],
  events: ['persona_progress', 'persona_changed'],
  config: settingsSchema,
  errors: errorTable,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log, signal } = registry;
  const artifacts = createArtifactRegistry();
  const { checkpoints } = services;
  const track: TrackCharacter = (context, work) => (checkpoints ? checkpoints.changing(context, 'persona', [characterKey], work) : work());
  const open = lazy(() =>
    import('./open-persona.ts').then(({ openPersona }) =>
      openPersona({ services, config, emitter, log, signal, artifacts, track, error: (reason, details) => registry.error(reason, details) }),
    ),
  );
  const folder = join(services.product.home, 'persona');
  /** Returns whether a persona exists. Without the folder, no code is loaded. Called in each round, so it avoids the thread pool. */
  const isThere = (): Promise<boolean> => Promise.resolve(open.made !== undefined || existsSync(folder));
  const isPending = async (): Promise<boolean> => config.isAsked && (!(await isThere()) || (await open()).bootstrap.isPending());

  registry.point('persona_artifact', artifacts.point);
  registry.provide('persona', () => lazyPersona(async () => (await open()).service, isThere));
  for (const route of createRoutes({ chats: services.chats, open, error: (reason, details) => registry.error(reason, details) })) registry.add('route', route);
  for (const section of replySections({
    config,
    isPending,
    label: async () => ((await isThere()) ? (await open()).service.label() : ''),
  }))
    registry.add('reply_section', section);
  registry.add('wire_event', {
    name: 'persona_progress',
    description: 'Reports the progress of the creation of a persona.',
    permission: 'persona.read',
    schema: progressEvent,
    keep: 'live',
  });
  registry.add('wire_event', {
    name: 'persona_changed',
    description: 'The active persona or a part of it has changed.',
    permission: 'persona.read',
    schema: changedEvent,
    keep: 'live',
  });
  registry.add(
    'undoable',
    undoablePersona(async () => ((await isThere()) ? (await open()).service : undefined)),
  );
  registry.add('tool', setPersonaTool(open, track, checkpoints ? 'checkpoint' : 'none'));
  registry.add('approval_rule', { name: 'persona', decide: setPersonaRule });
  registry.add('slash_command', {
    name: 'persona',
    permission: 'persona.manage',
    summary: "Shows and changes the agent's persona.",
    usage: '[show | <description> | learn <sentence> | forget <number> | off | on | history | back [version] | take <part> | drop <part> | reset]',
    run: (context) => track({ chatId: context.chatId }, async () => (await import('./entry/persona-command.ts')).runPersonaCommand(await open(), context)),
  });
  emitter.tap('tool.before', ({ tool, turn }) =>
    tool.plugin === 'persona' && !turn.isRoot ? { deny: 'Sub-agents cannot change the persona.', hint: 'Leave it to the main agent.' } : undefined,
  );
  emitter.tap('message.guard', async ({ text, origin }) => {
    if (config.canSkip || origin || /^\s*\/persona\b/.test(text)) return undefined;
    return (await isPending()) ? registry.error('BOOTSTRAP_PENDING') : undefined;
  });
  emitter.tap('turn.after', async (turn, end) => {
    if (!open.made || !turn.isRoot || turn.isTainted || end.reason !== 'done' || !isOwnersWord(turn)) return;
    const sentence = await (await open.made).learnFrom(turn);
    if (sentence === undefined || !services.turns) return;
    const origin = { plugin: 'persona', reason: 'you said how you want to be addressed' };
    await services.turns.announce({
      chatId: turn.chatId,
      channel: 'trace',
      text: `Saved for later: ${sentence}. /persona shows it and can remove it.`,
      origin,
    });
  });
  emitter.tap('prompt.build', async (prompt, turn) => (turn.isRoot && (await isThere()) ? (await open()).addTo(prompt, turn) : undefined));
  emitter.tap('session.reset', async ({ mode }) => (mode === 'hard' && (await isThere()) ? (await open()).wipe() : undefined));
  emitter.tap('server.idle', async () => ((await isThere()) ? (await open()).bootstrap.resume() : undefined), { order: 'post' });
  emitter.tap('chat.fork', async ({ from, to }) => {
    if (await isThere()) await (await open()).chatSwitch.copy(from, to);
  });
  emitter.tap('chat.close', async (chatId) => (open.made ? (await open.made).chatSwitch.drop(chatId) : undefined));
  registry.defer(async () => (open.made ? (await open.made).bootstrap.end() : undefined), 'persona');
}
