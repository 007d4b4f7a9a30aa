// Works out where requests go: which provider, which key, which model, which wire. A key only ever meets its own provider.
import type { ConfigField } from 'agent-harness/kernel';
import type { Static } from 'typebox';
import type { ModelRoute, ProviderEndpoint, TypedKey } from './contract.ts';
import type { settingsSchema } from './settings-schema.ts';

export type ModelSettings = Static<typeof settingsSchema>;
type KeyName = 'openrouterKey' | 'openaiKey' | 'anthropicKey' | 'xaiKey';

interface Provider {
  readonly key: KeyName;
  readonly variable: string;
  /** What its keys begin with. */
  readonly mark: RegExp;
  readonly baseURL: string;
  readonly wire: 'chat-completions' | 'messages';
  /** Where `AGENT_MODEL` is not set. */
  readonly model: string;
}

/** In the order in which their keys are tried. */
const providers: readonly Provider[] = [
  {
    key: 'openrouterKey',
    variable: 'OPENROUTER_API_KEY',
    mark: /^sk-or-/,
    baseURL: 'https://openrouter.ai/api/v1',
    wire: 'chat-completions',
    model: 'anthropic/claude-sonnet-4.5',
  },
  { key: 'openaiKey', variable: 'OPENAI_API_KEY', mark: /^sk-(?!or-|ant-)/, baseURL: 'https://api.openai.com/v1', wire: 'chat-completions', model: 'gpt-4.1' },
  {
    key: 'anthropicKey',
    variable: 'ANTHROPIC_API_KEY',
    mark: /^sk-ant-/,
    baseURL: 'https://api.anthropic.com/v1',
    wire: 'messages',
    model: 'claude-sonnet-4-5',
  },
  { key: 'xaiKey', variable: 'XAI_API_KEY', mark: /^xai-/, baseURL: 'https://api.x.ai/v1', wire: 'chat-completions', model: 'grok-4' },
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

/** The provider whose keys look like that. */
export function providerOfKey(key: string): { readonly variable: string; readonly baseURL: string } | undefined {
  return providers.find(({ mark }) => mark.test(key));
}

/** Where requests go with a key that a person typed: to the address given with it, to the one that was set, else to the provider whose keys look so. */
export function resolveTyped(settings: ModelSettings, isSet: (variable: string) => boolean, typed: TypedKey): ModelRoute {
  const isPlaced = typed.baseURL !== undefined || isSet('AGENT_API_BASE_URL');
  const baseURL = typed.baseURL ?? (isPlaced ? settings.baseURL : (providerOfKey(typed.key)?.baseURL ?? settings.baseURL));
  const given = { ...settings, apiKey: typed.key, baseURL, model: typed.model ?? settings.model };
  return resolveRoute(given, (variable) => variable === 'AGENT_API_BASE_URL' || (variable === 'AGENT_MODEL' && typed.model !== undefined) || isSet(variable));
}

/**
 * Where requests of one kind go that a person gave an address or a key of their own. The key of the settings goes along only to the address
 * that it is set for, or, where that is no provider that we know, to the other one that the same person set.
 */
export function resolveEndpoint(settings: ModelSettings, isSet: (variable: string) => boolean, own: ModelRoute, endpoint: ProviderEndpoint): ModelRoute {
  const { baseURL, apiKey } = endpoint;
  if (baseURL === undefined) return apiKey === undefined ? own : resolveTyped(settings, isSet, { key: apiKey });
  const provider = providerAt(baseURL);
  const isOwn = own.wire !== 'demo' && originOf(own.baseURL) === originOf(baseURL);
  const follows = own.wire !== 'demo' && !provider && !providerAt(own.baseURL);
  const key = apiKey ?? (isOwn || follows ? own.apiKey : provider && settings[provider.key].trim());
  return { wire: 'chat-completions', model: own.model, baseURL: baseURL.replace(/\/+$/, ''), ...(key ? { apiKey: key } : {}) };
}

/** What keeps it, with `<key>` in its place. */
export function keepLineOf(typed: TypedKey, isBaseURLSet: boolean): string {
  const owner = typed.baseURL === undefined && !isBaseURLSet ? providerOfKey(typed.key) : undefined;
  return [
    ...(typed.baseURL === undefined ? [] : [`AGENT_API_BASE_URL=${typed.baseURL}`]),
    ...(typed.model === undefined ? [] : [`AGENT_MODEL=${typed.model}`]),
    `${owner?.variable ?? 'AGENT_API_KEY'}=<key>`,
  ].join('\n');
}

/** Variables whose value came from the environment, `.env` or the preferences and could be read. */
export function setVariables(fields: readonly ConfigField[]): (variable: string) => boolean {
  return (variable) => fields.some((field) => field.key === variable && field.source !== 'default');
}

/** By scheme, host and port, so that no key goes over plain HTTP or to another port of a known name. */
function providerAt(baseURL: string): Provider | undefined {
  const origin = originOf(baseURL);
  return providers.find((one) => new URL(one.baseURL).origin === origin);
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
