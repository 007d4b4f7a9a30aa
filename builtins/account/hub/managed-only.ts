// Refuses model requests when only managed inference is allowed but unavailable, instead of using the user's key or the demo model.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/settings';
import type { manifest } from './manifest.ts';

const plugin = 'managed-inference';
const entitlement = 'pro.managed_inference';
/** Maximum wait, in milliseconds, for a newly read license that may unlock managed inference. */
const loadingMs = 5_000;

/** Registers the taps that refuse requests and report the state to the settings. */
export function requireManagedOnly(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const row = (): { readonly state: string; readonly reason?: string } | undefined => services.kernel.report().plugins.find(({ name }) => name === plugin);
  const isMissing = (): boolean => services.settings?.inferenceMode() === 'managed' && row()?.state !== 'active';

  function why(): string {
    const { license } = services;
    const { entitlements, message, tier } = license.state();
    const { state, reason } = row() ?? {};
    if (entitlements.includes(entitlement))
      return `the plugin ${plugin} ${state === 'disabled' ? 'is switched off' : 'does not run'}${reason ? ` (${reason})` : ''}.`;
    if (message !== undefined) return message;
    return license.account() === null ? 'no account is signed in.' : `an account of the tier ${tier} does not include it.`;
  }

  // Runs before the managed-inference plugin's tap, which selects the route.
  emitter.tap(
    'model.route',
    async (given, request, endpoint) => {
      if (!request || !isMissing()) return undefined;
      await services.license.ready();
      await withLimit(services.kernel.idle(), loadingMs, () => undefined);
      if (isMissing()) throw registry.error('NOT_MANAGED', { why: why() });
      return emitter.call('model.route', [given, request, endpoint]);
    },
    { order: 'pre' },
  );
  emitter.tap('settings.provider', (summary) => (isMissing() ? { ...summary, route: 'none' } : undefined), { order: 'post' });
}
