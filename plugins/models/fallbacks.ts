// The models that answer where the chosen one cannot: out of quota, overloaded, or shut down.
import { listIn } from 'agent-harness/lib/text';
import type { ModelFault, ModelRoute } from './contract.ts';
import { otherCauseWords } from './provider-words.ts';
import { providers } from './providers.ts';
import type { ModelSettings } from './route.ts';

export interface Fallbacks {
  /** The route of a request: the chosen one, or the fallback that took over from it a short while ago. */
  routeOf(chosen: ModelRoute): ModelRoute;
  /** The next route after this fault; `undefined` where it is none of those, or no model is left. @param failures of the same kind so far */
  next(chosen: ModelRoute, failed: ModelRoute, fault: ModelFault, failures: number): ModelRoute | undefined;
}

/** For so long, requests go to the fallback at once; then the chosen model is tried again. */
const restMs = 5 * 60 * 1_000;
/** Failures of an overloaded server before the next model is asked. */
const failuresBefore = 2;
const overloadWords = /overloaded|capacity|unavailable|busy|high demand/i;

export function createFallbacks(settings: ModelSettings, now: () => number): Fallbacks {
  /** Base URL and model → when it is tried again, in milliseconds of the clock. */
  const resting = new Map<string, number>();
  const keyOf = ({ baseURL, model }: ModelRoute): string => `${baseURL} ${model}`;
  const isResting = (route: ModelRoute): boolean => (resting.get(keyOf(route)) ?? 0) > now();

  const routesAfter = (chosen: ModelRoute): ModelRoute[] =>
    chosen.wire === 'demo' ? [] : listIn(settings.fallbacks).flatMap((entry) => routeTo(entry, chosen));

  /** `provider:model` for a known provider with a key of its own; else a model of the same server. */
  function routeTo(entry: string, chosen: ModelRoute): ModelRoute[] {
    const provider = providers.find(({ id }) => entry.startsWith(`${id}:`));
    if (!provider) return [{ ...chosen, model: entry }];
    const apiKey = settings[provider.key].trim();
    const { baseURL, wire } = provider;
    return apiKey ? [{ wire, baseURL, model: entry.slice(provider.id.length + 1), apiKey }] : [];
  }

  return {
    routeOf: (chosen) => (isResting(chosen) ? (routesAfter(chosen).find((one) => !isResting(one)) ?? chosen) : chosen),
    next(chosen, failed, fault, failures) {
      const routes = routesAfter(chosen);
      if (routes.length === 0 || !isForOthers(fault, failures)) return undefined;
      resting.set(keyOf(failed), now() + Math.max(restMs, fault.retryAfterMs ?? 0));
      return routes.find((one) => !isResting(one));
    },
  };
}

function isForOthers({ kind, status, message, words = message }: ModelFault, failures: number): boolean {
  if (kind === 'budget') return true;
  if (kind === 'refused') return otherCauseWords.test(words) && !/moderation|safety|policy/i.test(words);
  const isOverload = kind === 'rate_limit' || (kind === 'transient' && (status === 503 || status === 529 || overloadWords.test(words)));
  return isOverload && failures >= failuresBefore;
}
