// Registers the documents of an organisation, such as its policy. The plugin cannot be disabled and does nothing without an organisation.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import type { OwnedTeamDocuments } from './team-documents.ts';

export const manifest = {
  name: 'team-documents',
  fixed: true,
  requires: ['license', 'storage', 'product'],
  optional: ['controlPlane', 'hubSite'],
  provides: ['teamDocuments'],
  errors: {
    CHANGED: { message: 'The saved {kind} of your organisation was altered after signing and is ignored: {instead}' },
    NOT_SIGNED: { message: 'The control plane sent a {kind} that is not signed for this account. The previous one still applies.' },
    OLDER: {
      message: 'The control plane sent revision {revision} of the {kind}, which is older than the known revision {held}. Revision {held} still applies.',
    },
    NOT_CONNECTED: { message: "The plugin that connects to the control plane is disabled, so nothing can be published. Enable the plugin 'hub'.", status: 503 },
    NOT_KEPT: { message: 'The {kind} of your organisation applies but could not be saved: {why}' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  let loading: Promise<OwnedTeamDocuments> | undefined;
  async function load(): Promise<OwnedTeamDocuments> {
    const { createTeamDocuments } = await import('./team-documents.ts');
    return createTeamDocuments({
      services: registry.services,
      signal: registry.signal,
      makeError: registry.error.bind(registry),
      report: ({ code, message }) => emitter.emit('error', { source: 'account', code, message }),
    });
  }
  emitter.on('account_changed', () => void loading?.then((documents) => documents.signedIn()).catch(() => undefined));
  registry.provide('teamDocuments', () => ({
    hold: async (kind) => (await (loading ??= load())).hold(kind),
    async publish(publication) {
      const { controlPlane } = registry.services;
      if (!controlPlane) throw registry.error('NOT_CONNECTED');
      return (await import('./publish-document.ts')).publishDocument(controlPlane, publication);
    },
  }));
}
