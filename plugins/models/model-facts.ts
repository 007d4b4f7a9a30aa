// Defines facts about models that become outdated: default models and shutdown dates, checked by hand against the sources named below.

import type { ModelShutdown } from './contract.ts';

export interface ModelFacts {
  /** ISO 8601 date of the last check. `npm version` rejects facts older than 30 days. */
  readonly checkedOn: string;
  /** Default models by provider id, the preferred one first. If the provider does not offer the default, the first model in its list is used. */
  readonly defaults: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Announced shutdowns. An entry also matches dated names, such as `gpt-4.1-2025-04-14`, and names with a router prefix, such as `openai/gpt-4.1`. */
  readonly shutdowns: readonly ModelShutdown[];
}

/**
 * The current facts. Sources: platform.claude.com/docs/en/about-claude/model-deprecations, developers.openai.com/api/docs/deprecations, docs.x.ai/developers/models,
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

/** Number of days before a shutdown from which it is announced to the user. */
const noticeDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Returns the shutdown of a model if it is past or due within 30 days.
 * @param now milliseconds since 1970
 * @param announced shutdown date in the provider's own list, which takes precedence over the facts
 */
export function shutdownOf(model: string, now: number, announced?: string, { shutdowns }: ModelFacts = modelFacts): ModelShutdown | undefined {
  const known = shutdowns.find((one) => isModel(model, one.model));
  const on = announced ?? known?.on;
  if (on === undefined || Date.parse(on) - now > noticeDays * dayMs) return undefined;
  const prefix = model.slice(0, model.lastIndexOf('/') + 1);
  return { model, on, ...(known ? { successor: `${prefix}${known.successor}` } : {}) };
}

/** Returns the sentence that announces a shutdown. */
export function shutdownLine({ model, on, successor }: ModelShutdown): string {
  return `${model} shuts down on ${on}. ${successor === undefined ? 'Choose another model with /model.' : `Switch to its successor with /model ${successor}.`}`;
}

/** Returns whether a name refers to that model: exactly, dated, or with a router prefix. */
function isModel(model: string, name: string): boolean {
  const bare = model.slice(model.lastIndexOf('/') + 1).replace(/:.*$/, '');
  return bare === name || (bare.startsWith(`${name}-`) && /^-\d{4,8}(-\d\d){0,2}$/.test(bare.slice(name.length)));
}

/** Returns the days since the last check of the facts. @param now milliseconds since 1970 */
export function factsAgeDays(now: number, { checkedOn }: ModelFacts = modelFacts): number {
  return Math.max(0, Math.floor((now - Date.parse(checkedOn)) / dayMs));
}
