// Registers prompt templates: Markdown files of the user and of trusted workspaces that become slash commands with placeholders.
import { lazy } from '#lib/async';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/trust';
import { createTemplateOffers } from './offers.ts';
import { createTemplateRoutes } from './routes.ts';
import { subjectName } from './subject-name.ts';

export const manifest = {
  name: 'prompt-templates',
  requires: ['chats', 'commands', 'product', 'storage'],
  optional: ['trust'],
  errors: {
    EXISTS: { message: "A template '{name}' already exists. Choose another name.", status: 409 },
    NOT_FOUND: { message: "You have no template '{name}'. Templates of a workspace can only be changed in its files.", status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const templates = lazy(() =>
    import('./live-templates.ts').then(({ createLiveTemplates }) =>
      createLiveTemplates({ home: services.product.home, storage: services.storage, trust: () => services.trust }),
    ),
  );
  const offers = createTemplateOffers(
    (point, item) => registry.add(point, item),
    (name, workspaceRoot) => services.commands.isTaken(name, workspaceRoot),
  );

  async function refresh(workspaceRoot?: string): Promise<void> {
    const live = await templates();
    await offers.set(undefined, await live.own());
    if (workspaceRoot !== undefined) await offers.set(workspaceRoot, await live.trusted(workspaceRoot));
  }

  registry.add('trust_subject', { name: subjectName, find: async (workspaceRoot) => (await templates()).find(workspaceRoot) });
  const routes = createTemplateRoutes({
    ...{ templates, refresh, offers },
    workspaceOf: async (chatId) => (await services.chats.peek(chatId)).workspaceRoot,
    errors: { exists: (name) => registry.error('EXISTS', { name }), missing: (name) => registry.error('NOT_FOUND', { name }) },
  });
  for (const route of routes) registry.add('route', route);
  emitter.tap('server.idle', async () => void (await templates()));
  emitter.tap('commands.list', ({ workspaceRoot }) => refresh(workspaceRoot));
  // Runs before a message is parsed, so that a command in the message is already registered.
  emitter.tap('message.before', async ({ chatId }) => refresh((await services.chats.peek(chatId)).workspaceRoot));
  emitter.tap('trust.changed', ({ workspaceRoot, subject }) => (subject === subjectName ? refresh(workspaceRoot) : undefined));
}
