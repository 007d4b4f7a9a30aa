// Works out where requests go: which provider, which key, which model, which wire. A key only ever meets its own provider.
import type { ConfigField } from 'agent-harness/kernel';
import type { Static } from 'typebox';
import type { ModelRoute } from './contract.ts';
import type { settingsSchema } from './settings-schema.ts';

export type ModelSettings = Static<typeof settingsSchema>;
type KeyName = 'openrouterKey' | 'openaiKey' | 'anthropicKey' | 'xaiKey';

interface Provider {
  readonly key: KeyName;
  readonly baseURL: string;
  readonly wire: 'chat-completions' | 'messages';
  /** Where `AGENT_MODEL` is not set. */
  readonly model: string;
}

/** In the order in which their keys are tried. */
const providers: readonly Provider[] = [
  { key: 'openrouterKey', baseURL: 'https://openrouter.ai/api/v1', wire: 'chat-completions', model: 'anthropic/claude-sonnet-4.5' },
  { key: 'openaiKey', baseURL: 'https://api.openai.com/v1', wire: 'chat-completions', model: 'gpt-4.1' },
  { key: 'anthropicKey', baseURL: 'https://api.anthropic.com/v1', wire: 'messages', model: 'claude-sonnet-4-5' },
  { key: 'xaiKey', baseURL: 'https://api.x.ai/v1', wire: 'chat-completions', model: 'grok-4' },
];

/**
 * @param isSet whether a variable got its value from outside; a base URL that equals the default may still be meant
 */
export function resolveRoute(settings: ModelSettings, isSet: (variable: string) => boolean): ModelRoute {
  const isBaseURLSet = isSet('AGENT_API_BASE_URL');
  const baseURL = settings.baseURL.replace(/\/+$/, '');
  const ownKey = settings.apiKey.trim();
  const provider = isBaseURLSet || ownKey ? providerAt(baseURL) : providers.find((one) => settings[one.key].trim());
  const model = isSet('AGENT_MODEL') || !provider ? settings.model : provider.model;
  const apiKey = ownKey || (provider && settings[provider.key].trim());
  if (!apiKey && !isBaseURLSet) return { wire: 'demo', model: 'demo', baseURL };
  return {
    wire: settings.wire === 'auto' ? (provider?.wire ?? 'chat-completions') : settings.wire,
    model,
    baseURL: isBaseURLSet || ownKey || !provider ? baseURL : provider.baseURL,
    ...(apiKey ? { apiKey } : {}),
  };
}

/** Variables whose value came from the environment, `.env` or the preferences and could be read. */
export function setVariables(fields: readonly ConfigField[]): (variable: string) => boolean {
  return (variable) => fields.some((field) => field.key === variable && field.source !== 'default');
}

/** By scheme, host and port, so that no key goes over plain HTTP or to another port of a known name. */
function providerAt(baseURL: string): Provider | undefined {
  const origin = URL.canParse(baseURL) ? new URL(baseURL).origin : undefined;
  return providers.find((one) => new URL(one.baseURL).origin === origin);
}
