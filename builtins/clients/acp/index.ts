// Registers the Agent Client Protocol: `app acp` serves this agent to editors, on standard input and output.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/builtins/tools/shell';
import { createEditorBroker } from './editor/editor-broker.ts';
import { createEditorFolders } from './server/editor-folders.ts';

export const manifest = {
  name: 'acp',
  requires: ['product', 'http', 'webToken'],
  optional: ['chats', 'turns'],
  errors: {
    TOKEN_REFUSED: { message: 'The server at {url} refuses the token in {home}. If it was started with AGENT_WEB_TOKEN, set the same one here.' },
    SERVER_FAILED: { message: 'The server could not be started: {why}' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const { chats } = services;
  if (chats) {
    const folders = createEditorFolders(chats);
    registry.add('route', folders.route);
    emitter.tap('prompt.build', folders.describe);
    emitter.tap('chat.close', folders.forget);
    const broker = createEditorBroker();
    registry.add('web_socket', broker.socket);
    registry.add('text_holder', broker.holders);
    registry.add('command_terminal', broker.terminals);
  }
  registry.add('cli_command', {
    name: 'acp',
    summary: 'Serves this agent to an editor over the Agent Client Protocol, on standard input and output.',
    // Starts before the user's plugins are loaded: they run in the server, and the editor is waiting for the first reply.
    startsEarly: true,
    options: {
      linger: {
        type: 'string',
        description: 'Seconds that a server started for the editor keeps running when unused (default: 60).',
      },
    },
    async run({ signal, options }, output) {
      const { serveAcp } = await import('./serve-acp.ts');
      return serveAcp({ services, makeError: registry.error.bind(registry) }, { linger: options['linger'], signal }, output);
    },
  });
}
