// Registers managed inference: without a key of the user, the control plane's models answer and the organisation's wallet pays.
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
      description: 'Token of a session of managed inference that is used as it is, such as in CI. Left empty, the license fetches one.',
      apply: 'live',
    }),
  }),
  errors: {
    UNREACHABLE: {
      message: 'Managed inference is not there: {why} Send again in a moment, or set an own key of a model provider (AGENT_API_KEY).',
      status: 502,
    },
    NO_MODEL: { message: 'Managed inference offers no model now. Have the operator of the control plane set prices, or set an own key.', status: 503 },
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
  // Another license may belong to another organisation.
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
    description: 'Managed inference credit.',
    tools: [
      {
        name: 'managed_inference_status',
        description: 'Returns whether managed inference is in use, its models, and the remaining credit with its end date.',
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
