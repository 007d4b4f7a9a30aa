// Builds the content of the settings page.
import type { ConfigField, Emitter, Registry } from 'agent-harness/kernel';
import type { PendingChanges, ProviderSummary, Settings } from './contract.ts';
import { isListed, toSettingField } from './fields.ts';
import type { manifest } from './manifest.ts';
import type { Preferences } from './preferences.ts';
import type { Tabs } from './tabs.ts';

export interface SettingsParts {
  readonly registry: Registry<typeof manifest>;
  readonly emitter: Emitter;
  readonly preferences: Preferences;
  readonly tabs: Tabs;
}

/** Returns the content of the settings page: tabs, fields, the provider and the pending changes. */
export async function readSettings({ registry, emitter, preferences, tabs }: SettingsParts, pending: () => PendingChanges): ReturnType<Settings['read']> {
  const shown = tabs.list();
  const tabIds = new Set(shown.map((tab) => tab.id));
  const { kernel } = registry.services;
  // Plugins with the state `unmet`, whose requirements the distribution does not provide, have no settings.
  const unmet = new Set(kernel.report().plugins.flatMap(({ name, state }) => (state === 'unmet' ? [name] : [])));
  const fields = kernel.fields().filter((field) => isListed(field) && !unmet.has(field.plugin));
  return {
    tabs: shown,
    fields: fields.map((field) => toSettingField(field, tabIds)),
    provider: await emitter.call('settings.provider', [providerBase(kernel.fields(), preferences.inferenceMode())], { graceMs: 100 }),
    pending: pending(),
  };
}

function providerBase(fields: readonly ConfigField[], inferenceMode: ProviderSummary['inferenceMode']): ProviderSummary {
  const textOf = (key: string): string => {
    const value = fields.find((field) => field.key === key)?.value;
    return typeof value === 'string' ? value : '';
  };
  return {
    model: textOf('AGENT_MODEL'),
    baseURL: textOf('AGENT_API_BASE_URL'),
    apiKeyConfigured: fields.some((field) => field.key === 'AGENT_API_KEY' && field.isSet),
    inferenceMode,
    route: 'none',
  };
}
