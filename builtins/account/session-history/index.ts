// Registers session history: stores chats in the user's account with possible secrets redacted, and makes them searchable from every machine.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import { historyFamily } from './family.ts';

export const manifest = {
  name: 'session-history',
  entitlement: 'pro.session_history',
  requires: ['controlPlane', 'hubSite', 'license', 'eventLog', 'storage'],
  config: Type.Object({
    isAuto: Type.Boolean({
      default: false,
      env: 'AGENT_SESSION_HISTORY_CLOUD',
      words: 'backup upload conversations history privacy',
      tab: 'session_ui',
      title: 'Store chats in the account',
      description: 'After each turn, new events of the chat are uploaded to your account, without possible secrets.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, plugin, log } = registry;
  const ending = new AbortController();
  const history = lazy(() =>
    import('./session-history.ts').then(({ createSessionHistory }) => createSessionHistory({ services, folder: plugin.dataDir, signal: ending.signal })),
  );
  registry.add(
    'tool_family',
    historyFamily(
      // With automatic upload enabled, the call only starts the upload earlier and needs no approval.
      async (chatId) => (config.isAuto && !(await (await history()).isOfAnother(chatId)) ? undefined : 'This chat will be uploaded to your account.'),
      async () => (await history()).tools,
    ),
  );
  emitter.tap('turn.after', ({ chatId, isRoot }) => {
    if (!config.isAuto || !isRoot) return;
    // Not awaited: a failed upload is retried after a later turn.
    void history()
      .then((open) => open.upload(chatId, { isAsked: false, signal: ending.signal }))
      .catch((fault: unknown) => ending.signal.aborted || log.warn(`the chat could not be stored in the account: ${String(fault)}`));
  });
  registry.defer(async () => {
    ending.abort();
    await (await history.made?.catch(() => undefined))?.idle();
  }, 'session-history');
}
