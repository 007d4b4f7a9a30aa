// Registers remote sessions, which mirror the desktop window to any device that has a code. The code is loaded on first use.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/desktop/desktop-window';
import type { RemoteTransport } from 'agent-harness/builtins/desktop/remote';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type { Principal } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import { createTransports } from './codes/transports.ts';
import { createGuestPageRoutes } from './guest-page.ts';
import type { manifest } from './manifest.ts';
import type { Remote } from './open-remote.ts';
import { createGuestSocket, createRoutes } from './routes.ts';
import { createSlashCommand } from './slash-command.ts';
import { wireEvent } from './wire-event.ts';

export { manifest } from './manifest.ts';

const statusFields = Type.Object({
  remote: Type.Optional(
    Type.Object(
      {
        codes: Type.Integer({ description: 'Number of valid codes for the window of the desktop app.' }),
        guests: Type.Integer({ description: 'Number of viewers.' }),
        asking: Type.Integer({ description: 'Number of viewers that request control.' }),
      },
      { 'x-permission': 'server.manage' },
    ),
  ),
});

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log, signal } = registry;
  const { desktopWindow, product } = services;
  const transports = new Set<RemoteTransport>();
  const makeError = registry.error.bind(registry);
  const whyUnavailable = (): string | undefined => {
    if (!desktopWindow) return 'This server has no desktop window, because its plugin is not loaded.';
    return desktopWindow.current() ? undefined : `There is no desktop window to show. Open it with '${product.name} desktop' on the machine of the server.`;
  };
  const ways = createTransports(
    services.http,
    () => transports,
    () => config.bindHost,
  );
  let remote: Remote | undefined;
  const present = (): Remote | undefined => remote;
  /** Returns whether the request comes from the page that guests see and control. */
  const isPage = (principal: Principal | undefined): boolean => principal !== undefined && desktopWindow?.isPage(principal) === true;
  /**
   * Returns whether a guest may have caused the request: it comes from the window's page or from an unknown client. Other devices of the owner are excluded.
   */
  const mayBeGuest = (principal: Principal | undefined): boolean => remote?.guests.hasJustActed() === true && (principal === undefined || isPage(principal));
  const load = lazy(() =>
    import('./open-remote.ts').then(({ openRemote }) => {
      const child = () => registry.child('listener for viewers');
      const emit = (event: Parameters<Parameters<typeof openRemote>[0]['emit']>[0]): void => emitter.emit('remote_session', event);
      return (remote = openRemote({ services, config, log, child, ways, emit, makeError, whyUnavailable }));
    }),
  );

  registry.point('remote_transport', { added: (one) => void transports.add(one), removed: (one) => void transports.delete(one) });
  registry.provide('remoteSessions', () => ({
    attach(link) {
      if (!remote) throw makeError('CODE_WRONG');
      return remote.attach(link);
    },
  }));
  registry.add('token_source', { name: 'guests', identify: (token) => remote?.identify(token), isSetUp: () => remote?.isOpen === true });
  const page = createGuestPageRoutes({
    title: () => product.title,
    findFolder: async () => (await import('#lib/page-files')).builtPage(import.meta.dirname, 'guest-web'),
    makeError,
  });
  for (const route of page) registry.add('route', route);
  for (const route of createRoutes({ load, present, ways, isPage, mayBeGuest, makeError, signal, whyUnavailable })) registry.add('route', route);
  registry.add('web_socket', createGuestSocket(present));
  registry.add('slash_command', createSlashCommand({ load, present, isPage, mayBeGuest, whyUnavailable, makeError }));
  registry.add('wire_event', wireEvent);
  registry.add('reply_section', {
    route: 'GET /api/status',
    name: 'remote',
    fields: statusFields,
    read() {
      const guests = remote?.guests.list() ?? [];
      return { remote: { codes: remote?.codes().length ?? 0, guests: guests.length, asking: guests.filter(({ state }) => state === 'waiting').length } };
    },
  });
  // A page cannot distinguish the user's press from a guest's, so a press that a guest may have made must not answer an approval.
  emitter.tap('approval.answer', ({ principal }) =>
    mayBeGuest(principal) ? { refuse: 'a viewer has just used this window. Wait two seconds and answer it yourself.' } : undefined,
  );
  if (desktopWindow)
    emitter.tap('window.outside', () =>
      remote?.guests.hasJustActed() === true ? { refuse: 'a viewer has just used this window. Wait two seconds and open it yourself.' } : undefined,
    );
  registry.defer(() => remote?.close(), 'remote sessions');
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/status remote': typeof statusFields;
  }
}
