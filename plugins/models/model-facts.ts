// Facts about models that age: which one answers by default, and when models shut down. Checked by hand against the pages that are named here.

import type { ModelShutdown } from './contract.ts';

export interface ModelFacts {
  /** ISO 8601, the day on which all of it was checked. A release is refused where it is more than 30 days ago. */
  readonly checkedOn: string;
  /** By the id of a provider, the preferred model first. The first one that the provider lists is the default. */
  readonly defaults: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Also of dated names that begin with a model's, such as `gpt-4.1-2025-04-14`, and behind the prefix of a router. */
  readonly shutdowns: readonly ModelShutdown[];
}

/**
 * Sources: platform.claude.com/docs/en/about-claude/model-deprecations, developers.openai.com/api/docs/deprecations, docs.x.ai/developers/models,
 * openrouter.ai/models.
 */
export const modelFacts: ModelFacts = {
  checkedOn: '2026-11-29',
  defaults: {
    openrouter: ['anthropic/claude-sonnet-5.5', 'anthropic/claude-sonnet-5', 'openai/gpt-6.1-sol', 'openai/gpt-6-luna'],
    openai: ['gpt-6.1-sol', 'gpt-6-sol', 'gpt-5.6-sol', 'gpt-6-luna'],
    anthropic: ['claude-sonnet-5-5', 'claude-sonnet-5', 'claude-opus-5-5'],
    xai: ['grok-4.7', 'grok-4.6', 'grok-4.5', 'grok-4.3'],
  },
  shutdowns: [
    { model: 'claude-sonnet-4-5', on: '2026-11-30', successor: 'claude-sonnet-5-5' },
    { model: 'claude-sonnet-4.5', on: '2026-11-30', successor: 'claude-sonnet-5.5' },
    { model: 'gpt-5-mini', on: '2026-12-11', successor: 'gpt-6-luna' },
    { model: 'gpt-5-nano', on: '2026-12-11', successor: 'gpt-6-luna' },
    { model: 'gpt-5-pro', on: '2026-12-11', successor: 'gpt-5.6-sol' },
    { model: 'gpt-5', on: '2026-12-11', successor: 'gpt-5.6-sol' },
    { model: 'o3', on: '2026-12-11', successor: 'gpt-5.6-sol' },
    { model: 'gpt-4o-mini', on: '2027-01-14', successor: 'gpt-6-luna' },
    { model: 'gpt-4o', on: '2027-01-14', successor: 'gpt-6-luna' },
    { model: 'gpt-4.1-mini', on: '2027-01-14', successor: 'gpt-6-luna' },
    { model: 'gpt-4.1', on: '2027-01-14', successor: 'gpt-6-luna' },
    { model: 'gpt-5.1', on: '2027-04-01', successor: 'gpt-6-sol' },
    { model: 'grok-4-0709', on: '2026-05-15', successor: 'grok-4.7' },
    { model: 'grok-4', on: '2026-05-15', successor: 'grok-4.7' },
    { model: 'grok-3', on: '2026-05-15', successor: 'grok-4.7' },
  ],
};

/** Days before the shutdown on which a person is told. */
const noticeDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * The shutdown of a model that is over or due within 30 days.
 * @param now milliseconds since 1970
 * @param announced the day that the provider's own list has, which counts
 */
export function shutdownOf(model: string, now: number, announced?: string, { shutdowns }: ModelFacts = modelFacts): ModelShutdown | undefined {
  const known = shutdowns.find((one) => isModel(model, one.model));
  const on = announced ?? known?.on;
  if (on === undefined || Date.parse(on) - now > noticeDays * dayMs) return undefined;
  const prefix = model.slice(0, model.lastIndexOf('/') + 1);
  return { model, on, ...(known ? { successor: `${prefix}${known.successor}` } : {}) };
}

/** Exactly that model, a dated form of it, or either behind the prefix of a router. */
function isModel(model: string, name: string): boolean {
  const bare = model.slice(model.lastIndexOf('/') + 1).replace(/:.*$/, '');
  return bare === name || (bare.startsWith(`${name}-`) && /^-\d{4,8}(-\d\d){0,2}$/.test(bare.slice(name.length)));
}

/** Days since the facts were checked. @param now milliseconds since 1970 */
export function factsAgeDays(now: number, { checkedOn }: ModelFacts = modelFacts): number {
  return Math.max(0, Math.floor((now - Date.parse(checkedOn)) / dayMs));
}
