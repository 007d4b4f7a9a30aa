// Registers workspace trust: content of a workspace takes effect only after the user trusts it.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/trust';
import { trustCommand } from './trust-command.ts';
import { createTrust } from './trust.ts';
import { createTrustRoutes } from './trust-routes.ts';
import { createFilesSubject, markForeign } from './workspace-files.ts';

export const manifest = {
  name: 'trust',
  requires: ['storage', 'product', 'chats'],
  provides: ['trust'],
  errors: {
    NOT_FOUND: { message: "The workspace has no content of the kind '{name}' that needs trust.", status: 404 },
    CHANGED: { message: "The content of the kind '{name}' in the workspace has changed. Review it again.", status: 409 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const { trust, point } = createTrust(services, (change) => emitter.call('trust.changed', [change]));
  registry.point('trust_subject', point);
  registry.provide('trust', () => trust);
  for (const route of createTrustRoutes(trust, services.chats, registry.error.bind(registry))) registry.add('route', route);
  registry.add('slash_command', trustCommand(trust));
  registry.add('trust_subject', createFilesSubject(services.product.home));
  // Runs before other taps check whether the output is external.
  emitter.tap('tool.after', (outcome, call) => markForeign(outcome, call, trust), { order: 'pre' });
  emitter.hook('trust.changed', 'series', { onError: 'skip' });
}
