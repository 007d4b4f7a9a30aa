// Works out where requests go: which provider, which key, which model, which wire. A key only ever meets its own provider.
import type { ConfigField } from 'agent-harness/kernel';
import type { Static } from 'typebox';
import type { ModelRoute, ProviderEndpoint, TypedKey } from './contract.ts';
import { originOf, providerAt, providerOfKey, providers } from './providers.ts';
import type { settingsSchema } from './settings-schema.ts';

const noDefault = (): string => '';

export type ModelSettings = Static<typeof settingsSchema>;
/**
 * @param isSet whether a variable got its value from outside; a base URL that equals the default may still be meant
 */
/** The model is empty where none is set and only the list of the server can tell. @param defaultOf the default model of a base URL */
export function resolveRoute(settings: ModelSettings, isSet: (variable: string) => boolean, defaultOf: (baseURL: string) => string = noDefault): ModelRoute {
  const isBaseURLSet = isSet('AGENT_API_BASE_URL');
  const baseURL = settings.baseURL.replace(/\/+$/, '');
  const ownKey = settings.apiKey.trim();
  const provider = isBaseURLSet || ownKey ? providerAt(baseURL) : providers.find((one) => settings[one.key].trim());
  const apiKey = ownKey || (provider && settings[provider.key].trim());
  if (!apiKey && !isBaseURLSet) return { wire: 'demo', model: 'demo', baseURL };
  const target = isBaseURLSet || ownKey || !provider ? baseURL : provider.baseURL;
  return {
    wire: settings.wire === 'auto' ? (provider?.wire ?? 'chat-completions') : settings.wire,
    model: settings.model.trim() || defaultOf(target),
    baseURL: target,
    ...(apiKey ? { apiKey } : {}),
  };
}

/** Where requests go with a key that a person typed: to the address given with it, to the one that was set, else to the provider whose keys look so. */
export function resolveTyped(
  settings: ModelSettings,
  isSet: (variable: string) => boolean,
  typed: TypedKey,
  defaultOf: (baseURL: string) => string = noDefault,
): ModelRoute {
  const isPlaced = typed.baseURL !== undefined || isSet('AGENT_API_BASE_URL');
  const baseURL = typed.baseURL ?? (isPlaced ? settings.baseURL : (providerOfKey(typed.key)?.baseURL ?? settings.baseURL));
  const given = { ...settings, apiKey: typed.key, baseURL, model: typed.model ?? settings.model };
  return resolveRoute(given, (variable) => variable === 'AGENT_API_BASE_URL' || isSet(variable), defaultOf);
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

/**
 * What keeps it, with `<key>` in its place.
 * @param isOnly no other key is set, so that one by the name of its provider counts
 */
export function keepLineOf(typed: TypedKey, isBaseURLSet: boolean, isOnly: boolean): string {
  const named = isBaseURLSet ? undefined : providerOfKey(typed.key);
  const isAtHome = isOnly && named?.baseURL === typed.baseURL;
  const owner = typed.baseURL === undefined || isAtHome ? named : undefined;
  return [
    ...(typed.baseURL === undefined || isAtHome ? [] : [`AGENT_API_BASE_URL=${typed.baseURL}`]),
    ...(typed.model === undefined ? [] : [`AGENT_MODEL=${typed.model}`]),
    `${owner?.variable ?? 'AGENT_API_KEY'}=<key>`,
  ].join('\n');
}

/** Variables whose value came from the environment, `.env` or the preferences and could be read. */
export function setVariables(fields: readonly ConfigField[]): (variable: string) => boolean {
  return (variable) => fields.some((field) => field.key === variable && field.source !== 'default');
}
