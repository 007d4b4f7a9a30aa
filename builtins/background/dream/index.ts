// Registers dreams, which derive notes from conversations while the agent is idle. Each run has a report and can be undone.
import { lazy } from '#lib/async';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/background/evidence-gates';
import type {} from 'agent-harness/builtins/tools/memory';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import type {} from './contract.ts';
import { openMarker } from './run-marker.ts';
import { createDreamRoutes } from './routes.ts';
import { dreamEvents } from './schemas.ts';
import { settingsSchema } from './settings-schema.ts';
import { variable } from './variable.ts';

export const manifest = {
  name: 'dream',
  requires: ['http', 'webToken', 'product', 'storage', 'chats', 'models', 'notes', 'turns', 'evidenceGates'],
  events: ['dream_gate', 'dream_started', 'dream_completed', 'dream_failed', 'dream_undone', 'dream_stopped'],
  config: settingsSchema,
  errors: {
    NOT_FOUND: { message: '{what}. /dream lists the runs.', status: 404 },
    IN_PROGRESS: { message: 'Another process is running a dream. Wait until it ends, then undo.', status: 409 },
    ALREADY_RESOLVED: { message: "Dream run '{runId}' cannot be undone: its state is {state}.", status: 409 },
  },
} as const satisfies PluginManifest;

/** Required idle time in milliseconds. */
const idleMs = 60_000;

/** @param quietMs required idle time in milliseconds; replaced in tests */
export function register(registry: Registry<typeof manifest>, emitter: Emitter, quietMs = idleMs): void {
  const { services, config, log, signal } = registry;
  const dreams = lazy(() =>
    import('./open-dreams.ts').then(({ openDreams }) =>
      openDreams({ services, config, emitter, log, error: (reason, details) => registry.error(reason, details) }),
    ),
  );
  const warn = (fault: unknown): void => log.warn(`the state of dreams could not be stored: ${String(fault)}`);

  registry.add('job', {
    name: 'dream',
    when: { idleMs: quietMs },
    async run(context) {
      if (config.isOn) await (await dreams()).dream('idle', AbortSignal.any([signal, context.signal]));
    },
  });
  // Completes an interrupted run before other code reads the notes.
  emitter.tap(
    'app.start',
    async () => {
      if (await services.storage.has(openMarker(services.product.home))) await (await dreams()).recover();
    },
    { order: 'post' },
  );
  // Enabling dreams again ends their automatic pause.
  emitter.on('settings_changed', ({ keys }) => {
    if (keys.some((key) => key === variable || key === 'isOn')) dreams().then((one) => one.resume(), warn);
  });
  emitter.tap('entry.removed', async (entry) => (await dreams()).dropEntry(entry));
  emitter.tap('notes.forget', async (chat) => (await dreams()).forgetChat(chat));
  for (const route of createDreamRoutes({ dreams, signal })) registry.add('route', route);
  for (const event of dreamEvents) registry.add('wire_event', event);
  registry.add('slash_command', {
    name: 'dream',
    permission: 'memory.manage',
    summary: 'Shows the notes that dreams derived from your chats, starts a dream, or undoes one.',
    usage: '[run|report|undo] [run id]',
    run: async ({ args }) => (await import('./dream-command.ts')).dreamCommand(await dreams(), args, signal),
  });
  registry.add('cli_command', {
    name: 'dream',
    summary: 'Shows the notes that dreams derived from your chats, starts a dream, or undoes one.',
    usage: '[run|report|undo] [run id]',
    run: async ({ positionals, signal: stop }, output) => (await import('./dream-cli.ts')).dreamCli(services, positionals, stop, output),
  });
}
