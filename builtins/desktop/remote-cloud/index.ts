// Registers remote sessions through the control plane's relay, for viewers outside the local network, with end-to-end encryption.
import { createUnderWay } from '#lib/async';
import * as Type from 'typebox';
import { messageOf } from '#lib/errors';
import { normalizeSite } from '#lib/setting-texts';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/builtins/desktop/remote';
import type {} from 'agent-harness/plugins/licensing';

export const manifest = {
  name: 'remote-cloud',
  entitlement: 'pro.cloud_sync',
  requires: ['controlPlane', 'hubSite', 'remoteSessions'],
  config: Type.Object({
    origin: Type.String({
      default: '',
      format: 'uri',
      pattern: '^https?://[^/\\s@]+$',
      examples: ['https://relay.example.com'],
      env: 'APP_REMOTE_CLOUD_ORIGIN',
      mustFit: true,
      normalize: normalizeSite,
      words: 'phone outside tunnel away',
      tab: 'harness',
      title: 'Relay',
      description: 'Address of the relay for remote sessions from outside your network, without a path. Empty: the control plane.',
      apply: 'live',
    }),
  }),
  errors: {
    PAGE_VERSION: {
      message: '{origin} serves a page for viewers that does not work with the version of this server. Update {older}, then create a new code.',
      status: 409,
    },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config, log } = registry;
  const ending = new AbortController();
  const open = createUnderWay();
  const origin = (): string | undefined => (config.origin === '' ? undefined : config.origin);
  registry.add('remote_transport', {
    name: 'cloud',
    unavailable() {
      try {
        const { hostname } = new URL(origin() ?? services.hubSite.controlPlane());
        return hostname.endsWith('.invalid')
          ? 'No relay is set. Set AGENT_HUB_SITE_URL to the address of your control plane, or run `app login --site ADDRESS`.'
          : undefined;
      } catch (fault) {
        return messageOf(fault);
      }
    },
    async open(code) {
      const { openCloudCode } = await import('./cloud-code.ts');
      const cloud = await openCloudCode(
        { ...code, signal: AbortSignal.any([code.signal, ending.signal]) },
        {
          controlPlane: services.controlPlane,
          origin,
          remoteSessions: services.remoteSessions,
          warn: (message) => log.warn(message),
          makeError: registry.error.bind(registry),
        },
      );
      void open.add(cloud.over);
      return { urls: [cloud.url] };
    },
  });
  registry.defer(async () => {
    ending.abort();
    await open.idle();
  }, 'cloud sessions');
}
