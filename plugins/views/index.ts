// Registers views: their contribution point, checks, routes and slash command.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type { ViewAsker } from 'agent-harness/plugins/views';
import type { ViewChecks } from './check-view.ts';
import { permits } from '#lib/permits';
import { createRoutes } from './routes.ts';
import { createViewCommand } from './slash-command.ts';
import { createViewRegistry } from './view-registry.ts';
import { createViewService } from './view-service.ts';

export const manifest = {
  name: 'views',
  requires: ['kernel'],
  optional: ['chats', 'http'],
  provides: ['views'],
  events: ['view_changed'],
  errors: {
    NOT_FOUND: { message: "There is no view '{name}'. '/view' lists all views. The plugin of the view may be switched off.", status: 404 },
    FORBIDDEN: { message: "Your permissions do not allow this in the view '{name}'. Ask the owner of the server.", status: 403 },
    BROKEN: { message: "The plugin '{plugin}' returned an invalid view '{name}': {why}", status: 500 },
    FAILED: { message: "The plugin '{plugin}' failed in the view '{name}': {why}.", status: 500 },
    NO_ACTION: { message: "The view '{name}' does not currently offer the action '{action}'. Read the view again.", status: 409 },
    WRONG_PARAMETER: { message: "The view '{name}' could not be read: {why} Valid parameters: {takes}.", status: 400 },
    WRONG_INPUT: { message: "The action '{action}' of the view '{name}' was not run: {why}", status: 400 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { kernel, http, chats } = registry.services;
  const registered = createViewRegistry();
  registry.point('view', registered.handler);
  const parts = { registered, emitter, kernel, permits: http?.permits ?? permits, error: registry.error.bind(registry) };
  let checks: Promise<ViewChecks> | undefined;
  const views = createViewService(parts, () => (checks ??= import('./check-view.ts').then(({ createViewChecks }) => createViewChecks())));
  registry.provide('views', () => views);

  /** Returns the caller and its chat. Omits the chat if none exists, because requesting the active chat would create the first chat. */
  async function askerOf(given: string | undefined, principal: ViewAsker['principal']): Promise<ViewAsker> {
    const from = principal ? { principal } : {};
    const chatId = given ?? chats?.activeId;
    if (chatId === undefined || !chats) return from;
    const { workspaceRoot } = await chats.get(chatId);
    return { chatId, workspaceRoot, ...from };
  }

  for (const route of createRoutes(views, askerOf)) registry.add('route', route);
  registry.add('slash_command', createViewCommand(views));
  registry.add('wire_event', {
    name: 'view_changed',
    description: 'The content of a view changed, and clients that display it must read it again. With `chatId`, it changed only for that chat.',
    permission: 'server.read',
    schema: Type.Object({ name: Type.String(), chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
    keep: 'live',
  });
}
