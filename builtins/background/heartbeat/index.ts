// Registers the heartbeat: one short model run after a turn, once the chat is idle, which may leave a nudge for the user.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { isIncognito } from '#lib/chat-tags';
import type {} from 'agent-harness/builtins/background/evidence-gates';
import type {} from 'agent-harness/builtins/persona/persona';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/builtins/tools/plan';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import { isOwnersWord } from 'agent-harness/transcript';
import type { BeatClock } from './beats.ts';
import { cliCommand, slashCommand } from './commands.ts';
import type { OpenHeartbeat } from './open-heartbeat.ts';
import { configFields, heartbeatRoutes } from './routes.ts';
import { settingsSchema } from './settings-schema.ts';
import { systemClock } from './system-clock.ts';
import { wireEvents } from './wire-events.ts';

export const manifest = {
  name: 'heartbeat',
  requires: ['chats', 'exactFiles', 'http', 'models', 'product', 'storage', 'turns', 'webToken'],
  optional: ['evidenceGates', 'notes', 'persona', 'plans'],
  events: ['heartbeat_scheduled', 'heartbeat_started', 'heartbeat_completed', 'heartbeat_skipped', 'heartbeat_changed'],
  config: settingsSchema,
  errors: { NOT_FOUND: { message: "No shown nudge has the run ID '{runId}'.", status: 404 } },
} as const satisfies PluginManifest;

const noteKey = 'heartbeat';

/** @param clock replaced in tests */
export function register(registry: Registry<typeof manifest>, emitter: Emitter, clock: BeatClock = systemClock): void {
  const { config, services, log } = registry;
  let opening: Promise<OpenHeartbeat> | undefined;
  const open = (): Promise<OpenHeartbeat> =>
    (opening ??= import('./open-heartbeat.ts')
      .then(({ openHeartbeat }) => openHeartbeat({ services, clock, config, emitter, warn: (message) => log.warn(message) }))
      .catch((fault: unknown) => {
        opening = undefined;
        throw fault;
      }));

  for (const event of wireEvents) registry.add('wire_event', event);
  registry.add('reply_section', {
    ...{ route: 'GET /api/config', name: 'heartbeat' },
    fields: configFields,
    read: () => ({ heartbeatEnabled: config.isOn, heartbeatUiStrip: config.isOn && config.hasStrip }),
  });
  const view = async (chatId: string | undefined) => (await import('./view.ts')).viewOf(await open(), chatId, { clock, config, models: services.models });
  const notFound = (runId: string) => registry.error('NOT_FOUND', { runId });
  for (const route of heartbeatRoutes({ chats: services.chats, open, view, notFound })) registry.add('route', route);
  registry.add('slash_command', slashCommand({ open, view }));
  registry.add('cli_command', cliCommand(services));
  registry.defer(async () => {
    await (await opening?.catch(() => undefined))?.idle();
  }, 'heartbeat');
  emitter.tap('chat.close', async (chatId) => {
    if (config.isOn || opening) await (await open()).close(chatId);
  });
  const workspaceOf = async (chatId: string): Promise<string | undefined> => {
    const trashed = (await services.chats.trash()).find((one) => one.chatId === chatId);
    return (trashed ?? (await services.chats.get(chatId).catch(() => undefined)))?.workspaceRoot;
  };
  const forget = async ({ chatId }: { readonly chatId: string }): Promise<void> => (await open()).forget(chatId, await workspaceOf(chatId));
  emitter.tap('chat.erase', forget);
  if (services.notes) emitter.tap('notes.forget', forget);
  emitter.tap('entry.removed', async ({ chatId, entryId }) => (await open()).dropMessage(chatId, entryId, await workspaceOf(chatId)));
  if (!config.isOn) return;

  registry.add('job', {
    ...{ name: 'heartbeat', when: { idleMs: config.idleMs } },
    run: async ({ signal }) => (await opening)?.beats.quiet(signal),
  });
  // Ends the runs that a crash left open before new runs start.
  emitter.tap('app.start', () => void open().catch((fault: unknown) => log.warn(`the heartbeat could not start: ${String(fault)}`)), { order: 'post' });
  emitter.tap('session.reset', async ({ chatId }) => {
    const { beats, thinking } = await open();
    beats.forget(chatId);
    await thinking.stop(chatId);
  });
  emitter.tap(
    'turn.finalize',
    (answer, turn) => {
      if (turn.isRoot) turn.notes.set(noteKey, answer.text);
      return undefined;
    },
    { order: 'post' },
  );
  emitter.tap('turn.after', async (turn, end) => {
    // A request that a plugin makes, including the heartbeat, is not a user action.
    if (!turn.isRoot || !isOwnersWord(turn) || isIncognito(await services.chats.get(turn.chatId))) return;
    const answer = turn.notes.get(noteKey);
    (await open()).beats.onTurnEnd(turn, end, typeof answer === 'string' ? answer : undefined);
  });
}
