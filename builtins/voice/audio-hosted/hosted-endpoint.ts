// Determines the address to which audio and text are sent for conversion, and whether it is available.
import { errorOf } from '#lib/errors';
import type { EngineState } from 'agent-harness/builtins/voice/audio-engines';
import type { ModelRoute, Models, ProviderEndpoint } from 'agent-harness/plugins/models';
import type { HostedSettings } from './config.ts';

export interface HostedEndpoint {
  /** Address that the user set; `undefined` if audio uses the same provider as the conversations. */
  endpoint(): ProviderEndpoint | undefined;
  route(model?: string): Promise<ModelRoute>;
  state(): Promise<EngineState>;
  host(): Promise<string | undefined>;
  /** Records that the address does not support such requests. */
  hasNoRoutes(baseURL: string): void;
}

/** Time after which an address that did not support such requests is tried again, in milliseconds. */
const forgottenMs = 10 * 60_000;
const mostPlaces = 16;

/** @param settings read on every use @param keyOf returns the key for this kind of request; if empty, the key in the settings is used */
export function createHostedEndpoint(settings: Pick<HostedSettings, 'baseURL'>, models: () => Models, keyOf?: () => string): HostedEndpoint {
  const without = new Map<string, number>();

  function endpoint(): ProviderEndpoint | undefined {
    const { baseURL } = settings;
    const apiKey = keyOf?.() ?? '';
    if (baseURL === '' && apiKey === '') return undefined;
    return { ...(baseURL === '' ? {} : { baseURL }), ...(apiKey === '' ? {} : { apiKey }) };
  }

  const route = async (model?: string): Promise<ModelRoute> => models().routeNow(model, endpoint());

  /** Returns the route, or the error if a setting prevents its use. */
  async function usableRoute(): Promise<ModelRoute | Error> {
    try {
      const found = await route();
      return found.unusable ?? found;
    } catch (fault) {
      return errorOf(fault);
    }
  }

  return {
    endpoint,
    route,
    async state() {
      const found = await usableRoute();
      if (found instanceof Error) return { isUsable: false, code: 'not_offered', reason: found.message };
      const { wire, baseURL } = found;
      if (wire === 'demo')
        return {
          isUsable: false,
          code: 'no_key',
          reason: `There is no key. Set AGENT_API_KEY${keyOf ? ', or AGENT_TRANSCRIBE_API_KEY for audio alone' : ''}.`,
        };
      if (wire !== 'chat-completions')
        return {
          isUsable: false,
          code: 'not_offered',
          reason: `The wire format '${wire}' has no audio routes. Set AGENT_AUDIO_BASE_URL to a server that has them.`,
        };
      const since = without.get(baseURL);
      if (since !== undefined && Date.now() - since < forgottenMs)
        return { isUsable: false, code: 'not_offered', reason: `${hostOf(baseURL)} has no audio routes. Set AGENT_AUDIO_BASE_URL to a server that has them.` };
      return { isUsable: true };
    },
    async host() {
      const found = await usableRoute();
      return found instanceof Error || found.wire === 'demo' ? undefined : hostOf(found.baseURL);
    },
    hasNoRoutes(baseURL) {
      without.delete(baseURL);
      without.set(baseURL, Date.now());
      for (const oldest of without.keys()) if (without.size > mostPlaces) without.delete(oldest);
    },
  };
}

export function hostOf(baseURL: string): string {
  return URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
}
