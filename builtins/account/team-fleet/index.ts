// Registers the fleet configuration of an organisation: settings for all of its members' services.
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

/** How long a first start waits for the configuration. */
const firstStartMs = 5_000;
/** How long to wait for the settings to be in force, which they are not while turns run. */
const imposingMs = 2_000;
/** A busy machine may take longer to read the saved one than a plugin may take to start; messages wait meanwhile. */
const readingMs = 2_000;

export async function register(registry: Registry<typeof manifest>, emitter: Emitter): Promise<void> {
  const { teamDocuments } = registry.services;
  let layer: Disposable | undefined;
  let given = '{}';
  let inForce: Promise<void> = Promise.resolve();

  /** If nothing differs, nothing is imposed again: that might wait for a turn. */
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
  // What comes later waits until no turn runs, so no message waits for it.
  const atStart = holding.then((held) => held.settled(firstStartMs)).then(() => inForce, nothing);
  emitter.tap('message.before', () => withLimit(atStart, firstStartMs + imposingMs, () => undefined));
  registry.add('tool_family', fleetTools(teamDocuments, holding));
  await withLimit(holding, readingMs, nothing);
}

function nothing(): void {}
