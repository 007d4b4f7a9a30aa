// What was learned of how much the models take in one request, by endpoint and model, for as long as the process lives.
import type { ModelRoute } from './contract.ts';

export interface Windows {
  of(route: ModelRoute): number | undefined;
  /** The newest word counts: an endpoint may get more room. */
  learn(route: ModelRoute, tokens: number): void;
}

/** Beyond it the oldest is forgotten. */
const limit = 1_000;

export function createWindows(): Windows {
  const known = new Map<string, number>();
  const keyOf = ({ baseURL, model }: ModelRoute): string => `${baseURL} ${model}`;
  return {
    of: (route) => known.get(keyOf(route)),
    learn(route, tokens) {
      known.delete(keyOf(route));
      known.set(keyOf(route), Math.floor(tokens));
      const [oldest] = known.keys();
      if (known.size > limit && oldest !== undefined) known.delete(oldest);
    },
  };
}
