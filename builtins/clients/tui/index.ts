// Registers the terminal UI: chats in the terminal and its scrollback, for `app chat` and `app tui`.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/clients/cli';

export const manifest = {
  name: 'tui',
  config: Type.Object({
    hasVimKeys: Type.Boolean({
      default: false,
      env: 'AGENT_TERMINAL_VIM',
      words: 'vi modal editing keyboard terminal prompt',
      tab: 'session_ui',
      title: 'Vim keys in the terminal',
      description: 'Adds insert mode and normal mode to the message field of the terminal. Applies to newly opened terminals.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('chat_screen', {
    run: async (wanted) => (await import('./run-chat-screen.ts')).runChatScreen(wanted, registry.config.hasVimKeys),
  });
}
