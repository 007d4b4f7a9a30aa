// The command line: serve, chat, one-shot turns, and looking after chats, settings, plugins, token and account.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/storage';
import { listCommands } from './command-list.ts';
import { createTokenRoute } from './token-route.ts';

export const manifest = {
  name: 'cli',
  requires: ['chats', 'kernel', 'product', 'http', 'webToken', 'license', 'models'],
  optional: ['eventLog', 'settings'],
  errors: {
    ALREADY_RUNNING: { message: '{title} already runs at {url} (process {pid}). Stop it there, or use it from here.' },
    NO_ANSWER: { message: 'The server at {url} does not answer: {why}' },
    TOKEN_REFUSED: { message: 'The server at {url} refuses the token of {home}. If it was started with AGENT_WEB_TOKEN, set the same one here.' },
    STREAM_LOST: { message: 'The connection to {url} is lost and does not come back: {why}' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  for (const command of listCommands(registry)) registry.add('cli_command', command);
  registry.add('route', createTokenRoute(registry));
}
