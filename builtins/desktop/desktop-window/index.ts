// Registers the desktop window, which shows the page in a separate local browser window.
import * as Type from 'typebox';
import { join } from 'node:path';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/clients/cli';
import type {} from 'agent-harness/builtins/desktop/desktop-window';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/stream';
import { createDesktopWindow } from './desktop-window.ts';
import { createPageToken } from './page-token.ts';
import { windowRoute } from './routes.ts';
import { hasScreen } from './screen.ts';

export const manifest = {
  name: 'desktop-window',
  // Requires `chats`, so that the home folder is locked before its window opens.
  requires: ['product', 'http', 'webToken', 'storage', 'kernel', 'chats'],
  optional: ['turns', 'stream'],
  provides: ['desktopWindow'],
  config: Type.Object({
    program: Type.String({
      default: '',
      env: 'AGENT_DESKTOP_BROWSER_PATH',
      words: 'chrome chromium edge executable app window',
      tab: 'general',
      title: 'Browser of the desktop window',
      description:
        'Absolute path of the Chromium, Chrome or Edge program for the window. Empty: the browser of the browser tools, otherwise the usual locations of this system.',
      apply: 'live',
    }),
  }),
  errors: {
    NO_BROWSER: {
      message:
        'The window needs Chromium, Chrome or Edge, and none was found at: {places}. Install one: {install}. Or set AGENT_DESKTOP_BROWSER_PATH to its path.',
      status: 503,
    },
    NO_SCREEN: {
      message: 'There is no screen for a window: neither DISPLAY nor WAYLAND_DISPLAY is set. Over SSH or in a container, use the page in a browser instead.',
      status: 503,
    },
    NO_PAGE: { message: 'This distribution has no page, so there is no content for a window.', status: 503 },
    NOT_LISTENING: { message: 'The server does not listen on any address, so its window would stay empty.', status: 503 },
    NOT_OPENED: { message: 'The window could not be opened with {program}: {why}', status: 503 },
    NOT_LOCAL: { message: "Only the user at the server's computer can open its window.", status: 403 },
    LINK_UNKNOWN: { message: "'{link}' is not a link to a chat; the format is {start}chat/<id>.", status: 400 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const makeError = registry.error.bind(registry);
  const program = (): string => registry.config.program || textOf(services.kernel, 'AGENT_BROWSER_PATH');
  const warn = (message: string): void => registry.log.warn(message);
  const folder = registry.plugin.dataDir;
  const mayOpen = async (url: string): Promise<string | undefined> => (await emitter.call('window.outside', [{ url }]))?.refuse;
  const pageToken = createPageToken();
  registry.add('token_source', pageToken.source);
  const window = createDesktopWindow({ ...{ services, folder, program, pageToken, makeError, warn, mayOpen } });
  emitter.hook('window.outside', 'bail', { onError: 'throw' });
  registry.provide('desktopWindow', () => window);
  registry.add('route', windowRoute(window, makeError));
  registry.add('cli_command', {
    name: 'desktop',
    summary: 'Opens the app in its own window and starts the server if none is running.',
    usage: `[${services.product.name}://chat/<id>]`,
    startsEarly: true,
    options: {
      chat: { type: 'string', description: 'Chat to show, by id.' },
      install: { type: 'boolean', description: 'Adds the app to the desktop menu and registers its links.' },
      uninstall: { type: 'boolean', description: 'Removes the app from the desktop menu.' },
    },
    run: async (input, output) => {
      const { runDesktop } = await import('./desktop-command.ts');
      return runDesktop({ services, window, memoryPath: join(folder, 'last.json'), makeError }, input, output);
    },
  });
  registry.add('doctor_check', {
    name: 'desktop window',
    // A machine without a screen needs no window, unless the user configured a browser.
    look: async () =>
      hasScreen(process.env, process.platform) || registry.config.program !== ''
        ? (await import('./check-desktop.ts')).checkDesktop({ program, makeError })
        : [],
  });
  emitter.tap('app.start', () => window.begin());
  emitter.tap('app.stop', () => window.close());
  registry.defer(() => window.close(), 'the window');
}

/** Reads the setting of any plugin by its environment variable. */
function textOf(kernel: { fields(): readonly { readonly key: string; readonly value?: unknown }[] }, key: string): string {
  const value = kernel.fields().find((field) => field.key === key)?.value;
  return typeof value === 'string' ? value : '';
}
