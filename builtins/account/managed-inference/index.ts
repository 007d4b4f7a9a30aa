// Registers managed inference: uses the control plane's models, paid from the organisation's wallet, if the user has no key.
import * as Type from 'typebox';
import { normalizeKey } from '#lib/setting-texts';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/tools';
import { createManagedRoute } from './managed-route.ts';
import { createSessionRefresher } from './session-refresher.ts';
import { createWalletReader } from './wallet-reader.ts';

export const manifest = {
  name: 'managed-inference',
  requires: ['controlPlane', 'hubSite', 'kernel', 'license', 'settings', 'tools'],
  entitlement: 'pro.managed_inference',
  config: Type.Object({
    pinned: Type.String({
      default: '',
      env: 'AGENT_INFERENCE_SESSION_TOKEN',
      mustFit: true,
      normalize: normalizeKey,
      secret: true,
      title: 'Inference session',
      description: 'Managed inference session token to use as is, for example in CI. If empty, a session is requested with the license.',
      apply: 'live',
    }),
  }),
  errors: {
    UNREACHABLE: {
      message: 'Managed inference cannot be reached: {why} Send the message again later, or set your own model provider key (AGENT_API_KEY).',
      status: 502,
    },
    NO_MODEL: {
      message: 'Managed inference currently offers no model. Ask the operator of the control plane to set prices, or set your own key.',
      status: 503,
    },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { controlPlane, hubSite, kernel, license, settings } = registry.services;
  const makeError = registry.error.bind(registry);
  const refresher = createSessionRefresher({ controlPlane, hubSite, settings: registry.config, makeError });
  const route = createManagedRoute({ refresher, mode: () => settings.inferenceMode(), fields: () => kernel.fields(), makeError });
  const wallet = createWalletReader(controlPlane);

  emitter.tap('model.route', (given, request, endpoint) => route.decide(given, request, endpoint !== undefined));
  emitter.tap('model.fault', (isRerouted, fault, target) => isRerouted || route.failed(fault, target));
  // Runs after the platform's own tap, which reports only the wire protocol.
  emitter.tap('settings.provider', (summary) => (route.isManaged() ? { ...summary, route: 'managed', apiKeyConfigured: route.hasOwnKey() } : undefined), {
    order: 'post',
  });
  emitter.tap('hub.reconnect', () => refresher.drop());
  // The new license may belong to another organisation.
  emitter.on('account_changed', () => refresher.drop());
  emitter.on('turn_end', () => {
    if (route.answeredLast()) void wallet.warnOnce((message) => emitter.emit('error', { source: 'account', code: 'MANAGED_INFERENCE_ERR_LOW', message }));
  });
  emitter.tap('hub.inference', async (status) => {
    const state = await wallet.read();
    return { ...status, configured: route.isManaged(), ...(state ? wallet.statusOf(state) : {}) };
  });
  registry.add('tool_family', {
    name: 'enterprise_managed',
    description: 'Status and credits of managed inference.',
    tools: [
      {
        name: 'managed_inference_status',
        description: 'Returns whether managed inference is currently used, its models, and the remaining credits with the end of the period.',
        input: Type.Object({}, { additionalProperties: false }),
        effects: ['read'],
        replay: 'pure',
        timeoutMs: 20_000,
      },
    ],
    load: async () => {
      const { createStatusTool } = await import('./status-tool.ts');
      return { managed_inference_status: createStatusTool({ route, wallet, refresher, license }) };
    },
  });
}
