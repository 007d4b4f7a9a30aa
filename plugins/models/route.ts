// Works out where requests go: which provider, which key, which model, which wire. A key only ever meets its own provider.
import type { ConfigField } from 'agent-harness/kernel';
import { errorOf } from 'agent-harness/lib/errors';
import { shownAddress } from 'agent-harness/lib/hosts';
import { normalizeBaseUrl } from 'agent-harness/lib/setting-texts';
import type { Static } from 'typebox';
import type { ModelFault, ModelRoute, ProviderEndpoint, TypedKey } from './contract.ts';
import { originOf, providerAt, providerOfKey, providers, type Provider } from './providers.ts';
import type { settingsSchema } from './settings-schema.ts';

type DefaultOf = (baseURL: string) => string;
const noDefault: DefaultOf = () => '';

export type ModelSettings = Static<typeof settingsSchema>;
type RouteSettings = Pick<ModelSettings, 'wire' | 'apiKey' | 'baseURL' | 'model'> & Partial<Pick<ModelSettings, Provider['key']>>;

/**
 * The model is empty where none is set and only the list of the server can tell.
 * @param isSet whether a variable got its value from outside; a base URL that equals the default may still be meant
 * @param defaultOf the default model of a base URL
 */
export function resolveRoute(settings: ModelSettings, isSet: (variable: string) => boolean, defaultOf: DefaultOf = noDefault): ModelRoute {
  return orUnusable(settings, () => usableRoute(settings, isSet, defaultOf));
}

/** The route, or one that no request takes where a setting that it rests on cannot be used. */
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

/** Where requests go with a key that a person typed: to the address given with it, to the one that was set, else to the provider whose keys look so. */
export function resolveTyped(settings: ModelSettings, isSet: (variable: string) => boolean, typed: TypedKey, defaultOf: DefaultOf = noDefault): ModelRoute {
  return orUnusable(settings, () => {
    const isPlaced = typed.baseURL !== undefined || isSet('AGENT_API_BASE_URL');
    const baseURL = typed.baseURL ?? (isPlaced ? settings.baseURL : (providerOfKey(typed.key)?.baseURL ?? settings.baseURL));
    const given = { wire: settings.wire, apiKey: typed.key, baseURL, model: typed.model ?? settings.model };
    return usableRoute(given, (variable) => variable === 'AGENT_API_BASE_URL' || isSet(variable), defaultOf);
  });
}

/**
 * Where requests of one kind go that a person gave an address or a key of their own. The key of the settings goes along only to the address
 * that it is set for, or, where that is no provider that we know, to the other one that the same person set.
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

/** The address that a fault came from, as it may be shown, and the variables that hold the key for it. */
export function placeOfFault({ url }: Pick<ModelFault, 'url'>, { baseURL }: Pick<ModelRoute, 'baseURL'>): { readonly address: string; readonly key: string } {
  const provider = providerAt(baseURL);
  return { address: shownAddress(url ?? baseURL), key: provider ? `AGENT_API_KEY or ${provider.variable}` : 'AGENT_API_KEY' };
}

/** Variables whose value came from the environment, `.env` or the preferences, and holds. */
export function setVariables(fields: readonly ConfigField[]): (variable: string) => boolean {
  const set = new Set<string>();
  for (const { key, source } of fields) if (source !== 'default') set.add(key);
  return (variable) => set.has(variable);
}
