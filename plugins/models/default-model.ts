// Chooses the model if none is configured: the preferred model of a known provider, otherwise the first one in the server's list.
import { modelFacts } from './model-facts.ts';
import type { ListedModel, ModelList, ModelRoute } from './contract.ts';
import { providerAt } from './providers.ts';

export interface DefaultModel {
  /** Returns the default without a request; empty if it depends on the server's list. */
  now(baseURL: string): string;
  /** Returns the default; requests the server's list if needed. */
  choose(route: ModelRoute): Promise<string>;
  /** Chooses another default from the server's list after the server reported the model as unknown; returns `undefined` if the list has none. */
  replace(route: ModelRoute): Promise<string | undefined>;
}

/** Model name for a server without a model list, which usually has a single model and ignores the name. */
const unnamed = 'default';
/** Matches names of models that are not chat models. */
const otherKinds = /embed|rerank|whisper|\btts\b|speech|moderation|dall-e|image|transcribe|realtime|guard/i;

export function createDefaultModel(list: (route: ModelRoute) => Promise<ModelList>): DefaultModel {
  const chosen = new Map<string, string>();

  function now(baseURL: string): string {
    const provider = providerAt(baseURL);
    return chosen.get(baseURL) ?? (provider && modelFacts.defaults[provider.id]?.[0]) ?? '';
  }

  async function fromList(route: ModelRoute, except?: string): Promise<string> {
    const { models } = await list(route);
    const found = bestOf(models, providerAt(route.baseURL)?.id, except);
    if (found !== '') chosen.set(route.baseURL, found);
    return found;
  }

  return {
    now,
    async choose(route) {
      const found = now(route.baseURL) || (await fromList(route));
      // Cached, so that the list is not requested each time. If the server rejects the name, `replace` reads the list again.
      if (found === '') chosen.set(route.baseURL, unnamed);
      return found || unnamed;
    },
    async replace(route) {
      const found = await fromList(route, route.model);
      return found === '' || found === route.model ? undefined : found;
    },
  };
}

function bestOf(models: readonly ListedModel[], provider: string | undefined, except: string | undefined): string {
  const ids = models.map(({ id }) => id).filter((id) => id !== except && !otherKinds.test(id));
  const preferred = provider === undefined ? undefined : modelFacts.defaults[provider]?.find((id) => ids.includes(id));
  return preferred ?? (provider === undefined ? ids[0] : undefined) ?? '';
}
