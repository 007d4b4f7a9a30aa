// Registers dreams: derives notes from conversations while the agent is idle, with a report and undo for each run.
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
import { openMark } from './mark.ts';
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
    NOT_FOUND: { message: 'There is {what}.', status: 404 },
    IN_PROGRESS: { message: 'Another process dreams. Wait for its end, then undo.', status: 409 },
    ALREADY_RESOLVED: { message: "Run '{runId}' cannot be undone: it is {state}.", status: 409 },
  },
} as const satisfies PluginManifest;

/** Required idle time in milliseconds. */
const idleMs = 60_000;

/** @param quietMs replaced in tests */
export function register(registry: Registry<typeof manifest>, emitter: Emitter, quietMs = idleMs): void {
  const { services, config, log, signal } = registry;
  const dreams = lazy(() =>
    import('./open-dreams.ts').then(({ openDreams }) =>
      openDreams({ services, config, emitter, log, error: (reason, details) => registry.error(reason, details) }),
    ),
  );
  const warn = (fault: unknown): void => log.warn(`the state of dreams could not be kept: ${String(fault)}`);

  registry.add('job', {
    name: 'dream',
    when: { idleMs: quietMs },
    async run(context) {
      if (config.isOn) await (await dreams()).dream('idle', AbortSignal.any([signal, context.signal]));
    },
  });
  // Completes an interrupted run before anything reads the notes.
  emitter.tap(
    'app.start',
    async () => {
      if (await services.storage.has(openMark(services.product.home))) await (await dreams()).recover();
    },
    { order: 'post' },
  );
  // Switching dreams on resets their automatic stop.
  emitter.on('settings_changed', ({ keys }) => {
    if (keys.some((key) => key === variable || key === 'isOn')) dreams().then((one) => one.beginAgain(), warn);
  });
  emitter.tap('entry.removed', async (entry) => (await dreams()).dropEntry(entry));
  emitter.tap('notes.forget', async (chat) => (await dreams()).forgetChat(chat));
  for (const route of createDreamRoutes({ dreams, signal })) registry.add('route', route);
  for (const event of dreamEvents) registry.add('wire_event', event);
  registry.add('slash_command', {
    name: 'dream',
    permission: 'memory.manage',
    summary: 'Shows what dreams wrote from your chats, starts a dream, or undoes one.',
    usage: '[run|report|undo] [run id]',
    run: async ({ args }) => (await import('./dream-command.ts')).dreamCommand(await dreams(), args, signal),
  });
  registry.add('cli_command', {
    name: 'dream',
    summary: 'Shows what dreams wrote from your chats, starts a dream, or undoes one.',
    usage: '[run|report|undo] [run id]',
    run: async ({ positionals, signal: stop }, output) => (await import('./dream-cli.ts')).dreamCli(services, positionals, stop, output),
  });
}
