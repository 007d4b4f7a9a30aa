// Registers the command line: starting the server, chatting, one-shot turns, and managing chats, settings, plugins, the token and the account.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type { ChatScreen, TerminalPanel } from 'agent-harness/builtins/clients/cli';
import type {} from 'agent-harness/builtins/connections/plugin-life';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/stream';
import type {} from 'agent-harness/plugins/storage';
import { listCommands } from './command-list.ts';
import { createDoctorChecks } from './doctor-checks.ts';
import { createTokenRoute } from './token-route.ts';

export const manifest = {
  name: 'cli',
  requires: ['chats', 'commands', 'kernel', 'product', 'http', 'webToken', 'license', 'models'],
  optional: ['eventLog', 'settings', 'turns', 'stream', 'pluginLife', 'userPlugins'],
  errors: {
    ALREADY_RUNNING: { message: '{title} is already running at {url} (process {pid}). Stop it there, or use it from here.' },
    NO_ANSWER: { message: 'The server at {url} does not respond: {why}' },
    TOKEN_REFUSED: { message: 'The server at {url} refuses the token in {home}. If it was started with AGENT_WEB_TOKEN, set the same one here.' },
    STREAM_LOST: { message: 'The connection to {url} was lost and could not be restored: {why}' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const doctorChecks = createDoctorChecks();
  registry.point('doctor_check', doctorChecks.point);
  const screens: ChatScreen[] = [];
  registry.point('chat_screen', {
    added: (screen) => void screens.push(screen),
    removed: (screen) => void screens.splice(screens.indexOf(screen), 1),
  });
  const panels: TerminalPanel[] = [];
  registry.point('terminal_panel', {
    added: (panel) => void panels.push(panel),
    removed: (panel) => void panels.splice(panels.indexOf(panel), 1),
  });
  const { services } = registry;
  for (const command of listCommands({ services, error: registry.error.bind(registry), doctorChecks, screen: () => screens[0], panels }))
    registry.add('cli_command', command);
  registry.add('route', createTokenRoute(registry));
}
