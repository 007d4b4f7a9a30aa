// Where sound and text go to be turned into the other, and whether anybody is there.
import type { EngineState } from 'agent-harness/builtins/voice/audio-engines';
import type { ModelRoute, Models, ProviderEndpoint } from 'agent-harness/plugins/models';
import type { HostedSettings } from './config.ts';

export interface HostedPlace {
  /** As a person set it; `undefined` where audio goes where the conversations go. */
  endpoint(): ProviderEndpoint | undefined;
  route(model?: string): Promise<ModelRoute>;
  state(): Promise<EngineState>;
  host(): Promise<string | undefined>;
  /** It turned out that nobody there knows such requests. */
  hasNoRoutes(baseURL: string): void;
}

/** After that somebody may have put them there. */
const forgottenMs = 10 * 60_000;
const mostPlaces = 16;

/** @param settings live @param keyOf the key for this kind of request, where it has one of its own; empty for that of the settings */
export function createHostedPlace(settings: Pick<HostedSettings, 'baseURL'>, models: () => Models, keyOf?: () => string): HostedPlace {
  const without = new Map<string, number>();

  function endpoint(): ProviderEndpoint | undefined {
    const { baseURL } = settings;
    const apiKey = keyOf?.().trim() ?? '';
    if (baseURL === '' && apiKey === '') return undefined;
    return { ...(baseURL === '' ? {} : { baseURL }), ...(apiKey === '' ? {} : { apiKey }) };
  }

  const route = (model?: string): Promise<ModelRoute> => models().routeNow(model, endpoint());

  return {
    endpoint,
    route,
    async state() {
      const { wire, baseURL } = await route();
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
          reason: `Over the wire '${wire}' there are no audio routes. Set AGENT_AUDIO_BASE_URL to a server that has them.`,
        };
      const since = without.get(baseURL);
      if (since !== undefined && Date.now() - since < forgottenMs)
        return { isUsable: false, code: 'not_offered', reason: `${hostOf(baseURL)} has no audio routes. Set AGENT_AUDIO_BASE_URL to a server that has them.` };
      return { isUsable: true };
    },
    async host() {
      const { wire, baseURL } = await route();
      return wire === 'demo' ? undefined : hostOf(baseURL);
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
