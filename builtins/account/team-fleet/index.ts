// Registers the fleet configuration: settings that an organisation imposes on its members' servers.
import type { Disposable, Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import type {} from 'agent-harness/builtins/account/team-documents';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/tools';
import { fleetTools } from './fleet-tools.ts';
import { variablesIn } from './variables.ts';

export const manifest = {
  name: 'team-fleet',
  entitlement: 'team.fleet_config',
  fixed: true,
  requires: ['teamDocuments', 'settings'],
} as const satisfies PluginManifest;

/** Maximum time, in milliseconds, that the first start waits for the configuration. */
const firstStartMs = 5_000;
/** Maximum wait until the settings apply, in milliseconds; they are not applied while turns run. */
const imposingMs = 2_000;
/** Maximum time, in milliseconds, that a start waits for the saved configuration; messages wait longer. */
const readingMs = 2_000;

export async function register(registry: Registry<typeof manifest>, emitter: Emitter): Promise<void> {
  const { teamDocuments } = registry.services;
  let layer: Disposable | undefined;
  let given = '{}';
  let inForce: Promise<void> = Promise.resolve();

  /** Skips unchanged settings, because applying settings may wait for a turn. */
  function impose(env: Readonly<Record<string, string>>): void {
    const text = JSON.stringify(env);
    if (text === given) return;
    given = text;
    const former = layer;
    inForce = new Promise((resolve) => (layer = registry.add('settings_layer', { env, inForce: resolve })));
    void former?.dispose();
  }

  const holding = teamDocuments.hold({ kind: 'fleet', path: '/api/team/fleet/config', take: (claims) => impose(variablesIn(claims?.['config'])) });
  registry.defer(() => holding.then((held) => held.dispose(), nothing), 'fleet');
  // Later configurations are applied when no turn is running, so no message waits for them.
  const atStart = holding.then((held) => held.settled(firstStartMs)).then(() => inForce, nothing);
  emitter.tap('message.before', () => withLimit(atStart, firstStartMs + imposingMs, () => undefined));
  registry.add('tool_family', fleetTools(teamDocuments, holding));
  await withLimit(holding, readingMs, nothing);
}

function nothing(): void {}
