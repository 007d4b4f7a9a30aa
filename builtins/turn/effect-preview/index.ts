// Registers the effect preview: a command that needs approval is first run in a copy of the workspace, and approving it applies the displayed changes.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/builtins/tools/shell';
import type {} from 'agent-harness/builtins/turn/checkpoints';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/processes';
import { createChatSwitch } from './chat-switch.ts';
import { listStages } from './preview-stages.ts';

export const manifest = {
  name: 'effect-preview',
  requires: ['processes', 'exactFiles', 'checkpoints', 'commandTrials', 'turns', 'eventLog'],
  optional: ['steeringFiles'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_EFFECT_PREVIEW',
      words: 'approve approval diff dry run overlay sandbox what would change permission',
      rank: 31,
      tab: 'safety',
      title: 'Preview the changes of commands',
      description:
        'A command that needs your approval first runs in a copy of the workspace, without network (Linux with bubblewrap). The approval shows the resulting changes, and approving applies exactly these changes. You can decide before the command has ended.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

/** After a failed flush, the stage stays until the plugin unloads. */
const ignore = (): void => undefined;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const chats = createChatSwitch(() => registry.config.isOn);
  let removed: Promise<void> = Promise.resolve();
  const { dataDir: folder } = registry.plugin;
  const { log, signal } = registry;
  const previews = lazy(() => import('./previews.ts').then(({ createPreviews }) => createPreviews({ services, folder, signal, log })));

  emitter.tap('approval.rehearse', async (call) => (chats.isOn(call.turn.chatId) ? (await previews()).begin(call) : undefined));
  emitter.on('tool_result', ({ chatId, callId }) => {
    if (previews.made) void Promise.all([previews.made, services.eventLog.flushed(chatId)]).then(([all]) => all.journaled(callId), ignore);
  });
  registry.add('slash_command', chats.command);
  emitter.tap('chat.close', (chatId) => chats.forget(chatId));
  // Runs before the user can change or undo anything.
  emitter.tap('app.start', async () => {
    const left = listStages(folder);
    if (left.length > 0) ({ removed } = await (await import('./finish-applications.ts')).finishApplications(left, { services, log }));
  });
  registry.defer(() => removed, 'preview copies of a killed server');
  registry.defer(async () => (await previews.made)?.end(), 'rehearsals');
}
