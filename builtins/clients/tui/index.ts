// Terminal UI: conversations in a terminal, in its own scrollback; `app chat` and `app tui` show it.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/clients/cli';

export const manifest = { name: 'tui' } as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('chat_screen', {
    run: async (wanted) => (await import('./run-chat-screen.ts')).runChatScreen(wanted),
  });
}
