// Chooses a fallback model while the chosen model is out of quota, overloaded or shut down.
import { listIn } from '#lib/text';
import type { ModelFault, ModelRoute } from './contract.ts';
import { otherCauseWords } from './provider-error-patterns.ts';
import { providers } from './providers.ts';
import type { ModelSettings } from './route.ts';

export interface Fallbacks {
  /** Returns the route of a request: the chosen route, or its fallback during the cooldown. */
  routeOf(chosen: ModelRoute): ModelRoute;
  /**
   * Returns the next route after a fault; `undefined` if the fault allows no fallback, or no model is left. @param failures number of failed attempts of this
   * request
   */
  next(chosen: ModelRoute, failed: ModelRoute, fault: ModelFault, failures: number): ModelRoute | undefined;
}

/** Cooldown in milliseconds during which requests go directly to the fallback; then the chosen model is tried again. */
const restMs = 5 * 60 * 1_000;
/** Number of failed attempts at an overloaded server before the fallback is used. */
const failuresBefore = 2;
const overloadWords = /overloaded|capacity|unavailable|busy|high demand/i;

export function createFallbacks(settings: ModelSettings, now: () => number): Fallbacks {
  /** End of the cooldown, in milliseconds of the clock, by base URL and model. */
  const resting = new Map<string, number>();
  const keyOf = ({ baseURL, model }: ModelRoute): string => `${baseURL} ${model}`;
  const isResting = (route: ModelRoute): boolean => (resting.get(keyOf(route)) ?? 0) > now();

  const routesAfter = (chosen: ModelRoute): ModelRoute[] =>
    chosen.wire === 'demo' ? [] : listIn(settings.fallbacks).flatMap((entry) => routeTo(entry, chosen));

  /** Parses an entry: `provider:model` for a known provider with a configured key, otherwise a model of the same server. */
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

/** Returns whether the provider reports that it does not have the model. */
export function isUnknownModel({ kind, message, words = message }: ModelFault): boolean {
  return kind === 'refused' && otherCauseWords.test(words) && !/moderation|safety|policy/i.test(words);
}

function isForOthers(fault: ModelFault, failures: number): boolean {
  const { kind, status, message, words = message } = fault;
  if (kind === 'budget' || isUnknownModel(fault)) return true;
  const isOverload = kind === 'rate_limit' || (kind === 'transient' && (status === 503 || status === 529 || overloadWords.test(words)));
  return isOverload && failures >= failuresBefore;
}
