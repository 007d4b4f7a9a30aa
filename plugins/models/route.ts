// Resolves the route of model requests: provider, key, model, wire format. A key is sent only to its own provider.
import type { ConfigField } from 'agent-harness/kernel';
import { errorOf } from '#lib/errors';
import { shownAddress } from '#lib/hosts';
import { normalizeBaseUrl } from '#lib/setting-texts';
import type { Static } from 'typebox';
import type { ModelFault, ModelRoute, ProviderEndpoint, TypedKey } from './contract.ts';
import { originOf, providerAt, providerOfKey, providers, type Provider } from './providers.ts';
import type { settingsSchema } from './settings-schema.ts';

type DefaultOf = (baseURL: string) => string;
const noDefault: DefaultOf = () => '';

export type ModelSettings = Static<typeof settingsSchema>;
type RouteSettings = Pick<ModelSettings, 'wire' | 'apiKey' | 'baseURL' | 'model'> & Partial<Pick<ModelSettings, Provider['key']>>;

/**
 * Returns the route that the settings define. Its model is empty if none is set and the default depends on the server's list.
 * @param isSet returns whether a variable has an explicit value; a base URL may be explicit even if it equals the default
 * @param defaultOf returns the default model of a base URL
 */
export function resolveRoute(settings: ModelSettings, isSet: (variable: string) => boolean, defaultOf: DefaultOf = noDefault): ModelRoute {
  return orUnusable(settings, () => usableRoute(settings, isSet, defaultOf));
}

/** Returns the resolved route; an unusable route if one of its settings is invalid. */
function orUnusable({ model }: Pick<ModelSettings, 'model'>, resolve: () => ModelRoute): ModelRoute {
  try {
    return resolve();
  } catch (fault) {
    return { wire: 'chat-completions', model, baseURL: '', unusable: errorOf(fault) };
  }
}

function usableRoute(settings: RouteSettings, isSet: (variable: string) => boolean, defaultOf: DefaultOf): ModelRoute {
  const isBaseURLSet = isSet('AGENT_API_BASE_URL');
  const { baseURL } = settings;
  const ownKey = settings.apiKey;
  const provider = isBaseURLSet || ownKey ? providerAt(baseURL) : providers.find((one) => settings[one.key]);
  const apiKey = ownKey || (provider && settings[provider.key]);
  if (!apiKey && !isBaseURLSet) return { wire: 'demo', model: 'demo', baseURL };
  const target = isBaseURLSet || ownKey || !provider ? baseURL : provider.baseURL;
  return {
    wire: settings.wire === 'auto' ? (provider?.wire ?? 'chat-completions') : settings.wire,
    model: settings.model.trim() || defaultOf(target),
    baseURL: target,
    ...(apiKey ? { apiKey } : {}),
  };
}

/** Resolves the route for an entered key: to the base URL entered with it, otherwise the configured one, otherwise the provider with that key format. */
export function resolveTyped(settings: ModelSettings, isSet: (variable: string) => boolean, typed: TypedKey, defaultOf: DefaultOf = noDefault): ModelRoute {
  return orUnusable(settings, () => {
    const isPlaced = typed.baseURL !== undefined || isSet('AGENT_API_BASE_URL');
    const baseURL = typed.baseURL ?? (isPlaced ? settings.baseURL : (providerOfKey(typed.key)?.baseURL ?? settings.baseURL));
    const given = { wire: settings.wire, apiKey: typed.key, baseURL, model: typed.model ?? settings.model };
    return usableRoute(given, (variable) => variable === 'AGENT_API_BASE_URL' || isSet(variable), defaultOf);
  });
}

/**
 * Resolves the route of requests for which the user set another base URL or key. The configured key is sent only to the base URL for which it is set or, if
 * that is not a known provider, to the other base URL that the same user set.
 */
export function resolveEndpoint(settings: ModelSettings, isSet: (variable: string) => boolean, own: ModelRoute, endpoint: ProviderEndpoint): ModelRoute {
  return orUnusable(settings, () => usableEndpoint(settings, isSet, own, endpoint));
}

function usableEndpoint(settings: ModelSettings, isSet: (variable: string) => boolean, own: ModelRoute, endpoint: ProviderEndpoint): ModelRoute {
  const { apiKey } = endpoint;
  if (endpoint.baseURL === undefined) return apiKey === undefined ? own : resolveTyped(settings, isSet, { key: apiKey });
  const baseURL = normalizeBaseUrl(endpoint.baseURL);
  const provider = providerAt(baseURL);
  const isOwn = own.wire !== 'demo' && originOf(own.baseURL) === originOf(baseURL);
  const follows = own.wire !== 'demo' && !provider && !providerAt(own.baseURL);
  const key = apiKey ?? (isOwn || follows ? own.apiKey : provider && settings[provider.key]);
  return { wire: 'chat-completions', model: own.model, baseURL, ...(key ? { apiKey: key } : {}) };
}

/**
 * Returns the `.env` line that stores the key, with the placeholder `<key>`.
 * @param isOnly whether no other key is set; the line then uses the variable of the key's provider
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

/** Returns the base URL of a fault for display, and the names of the variables that contain its key. */
export function placeOfFault({ url }: Pick<ModelFault, 'url'>, { baseURL }: Pick<ModelRoute, 'baseURL'>): { readonly address: string; readonly key: string } {
  const provider = providerAt(baseURL);
  return { address: shownAddress(url ?? baseURL), key: provider ? `AGENT_API_KEY or ${provider.variable}` : 'AGENT_API_KEY' };
}

/** Returns which variables have a valid value from the environment, `.env` or the preferences. */
export function setVariables(fields: readonly ConfigField[]): (variable: string) => boolean {
  const set = new Set<string>();
  for (const { key, source } of fields) if (source !== 'default') set.add(key);
  return (variable) => set.has(variable);
}
