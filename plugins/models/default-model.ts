// Chooses the model where a person set none: the preferred one of a known provider, else one that the server lists.
import { modelFacts } from './model-facts.ts';
import type { ListedModel, ModelList, ModelRoute } from './contract.ts';
import { providerAt } from './providers.ts';

export interface DefaultModel {
  /** Without a request; empty where only the list of the server can tell. */
  now(baseURL: string): string;
  /** Asks the server for its list where it has to. */
  choose(route: ModelRoute): Promise<string>;
  /** The server does not have that model: the next choice is made from its list. Answers the model that it is, if another one. */
  replace(route: ModelRoute): Promise<string | undefined>;
}

/** For a server without a list, such as one that has a single model and ignores the name. */
const unnamed = 'default';
/** Models that do not hold conversations. */
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
      // Asked once: a server that knows no such name says so, and its list is read again.
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
