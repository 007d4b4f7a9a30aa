// Calculates the likely cost of a turn and its 80% range from the most similar past turns, weighted by similarity.
import { eachToken } from '#lib/words';
import type { Forecast, ForecastUnit } from './contract.ts';
import type { History, PastTurn, Remembered } from './history.ts';

/** The properties of a turn that are known before it runs. */
export type Task = Pick<PastTurn, 'model' | 'workspaceRoot' | 'words' | 'length' | 'context'> & { readonly at: string };

/** Minimum number of past turns for a forecast. */
export const fewestTurns = 5;
const mostWords = 64;
/** Share of turns outside the range on each side; four out of five turns are within it. */
const tail = 0.1;
/** Step by which a missed forecast widens later ranges on that side; the step of adaptive conformal inference (Gibbs and Candès, 2021). */
const step = 0.01;
const tailBounds = [0.02, 0.2] as const;
const halfLifeMs = 45 * 86_400_000;

/** Returns the distinct words of a text as hashes (FNV-1a), from which the text cannot be recovered. */
export function wordsOf(text: string): number[] {
  const found = new Set<number>();
  eachToken(text.slice(0, 20_000), (word) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    // Excludes numbers, because they distinguish files instead of kinds of work.
    if (found.size < mostWords && !/^\d+$/.test(word)) found.add(hash >>> 0);
  });
  return [...found];
}

/**
 * Returns the forecast of a turn as weighted quantiles of the costs of past turns; `undefined` if there are too few.
 * @param soFar cost so far, in the unit of the result (see {@link unitFor}): only past turns whose cost exceeded it are used
 */
export function forecast(task: Task, history: History, soFar = 0): Forecast | undefined {
  const past = history.turns;
  const unit = unitFor(task.model, past);
  const rate = unit === 'usd' ? rateOf(task.model, past) : undefined;
  const weights = weigh(task, history);
  const points: { value: number; weight: number }[] = [];
  for (const [{ turn }, weight] of weights) {
    const value = amountOf(turn, task.model, unit, rate);
    if (value !== undefined && value > soFar) points.push({ value, weight });
  }
  if (points.length < fewestTurns) return undefined;
  points.sort((one, other) => one.value - other.value);
  const edge = tailAfter(past, unit);
  const [low, likely, high] = [edge, 0.5, 1 - edge].map((share) => quantile(points, share)) as [number, number, number];
  return { unit, likely, low, high, turns: points.length };
}

/** Returns the unit of forecasts: USD if the costs of enough past turns with the model are known, otherwise tokens. */
export function unitFor(model: string, past: readonly PastTurn[]): ForecastUnit {
  return past.filter((turn) => turn.model === model && turn.cost !== undefined && turn.cost > 0).length >= fewestTurns ? 'usd' : 'tokens';
}

/** Returns the average USD per token of a model, which is used to convert the costs of turns with other models. */
function rateOf(model: string, past: readonly PastTurn[]): number {
  let [cost, tokens] = [0, 0];
  for (const turn of past)
    if (turn.model === model && turn.cost !== undefined) {
      cost += turn.cost;
      tokens += turn.tokens;
    }
  return tokens === 0 ? 0 : cost / tokens;
}

function amountOf(turn: PastTurn, model: string, unit: ForecastUnit, rate: number | undefined): number | undefined {
  if (turn.tokens === 0) return undefined;
  if (unit === 'tokens') return turn.tokens;
  return turn.model === model && turn.cost !== undefined ? turn.cost : turn.tokens * (rate ?? 0);
}

/** Returns the similarity of each past turn to the task, greater than 0. All turns without a common word together weigh a third of an identical turn. */
function weigh({ words, length, context, workspaceRoot, model, at }: Task, history: History): Map<Remembered, number> {
  const shared = new Map<Remembered, number>();
  let size = 0;
  for (const word of words) {
    const rarity = history.rarityOf(word);
    size += rarity;
    for (const one of history.having(word)) shared.set(one, (shared.get(one) ?? 0) + rarity);
  }
  const now = Date.parse(at);
  const weights = new Map<Remembered, number>();
  for (const one of history.remembered) {
    const { turn } = one;
    const both = shared.get(one) ?? 0;
    const lengths = Math.log((length + 20) / (turn.length + 20));
    const contexts = Math.log((context + 2_000) / (turn.context + 2_000));
    const age = Math.max(0, now - Date.parse(turn.at));
    weights.set(
      one,
      // The squared cosine similarity of the two texts, with each word weighted by its rarity.
      (1 / (3 * history.turns.length) + (both === 0 ? 0 : both ** 2 / (size * one.size))) *
        // The length of the conversation has less weight: each request contains the conversation, but the work determines the number of requests.
        Math.exp(-0.5 * (lengths ** 2 + (contexts / 2) ** 2)) *
        (workspaceRoot === turn.workspaceRoot ? 1.5 : 1) *
        (model === turn.model ? 1.5 : 1) *
        0.5 ** (age / halfLifeMs),
    );
  }
  return weights;
}

/** Returns a quantile of weighted values that are sorted in ascending order; interpolates linearly between two values. */
function quantile(points: readonly { readonly value: number; readonly weight: number }[], share: number): number {
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  let before: { readonly at: number; readonly value: number } | undefined;
  for (const { value, weight } of points) {
    const at = (below + weight / 2) / total;
    if (at >= share) return before === undefined ? value : before.value + ((share - before.at) / (at - before.at)) * (value - before.value);
    below += weight;
    before = { at, value };
  }
  return before?.value ?? 0;
}

/** Returns the share outside the range on each side: smaller after missed forecasts, larger after correct ones. */
function tailAfter(past: readonly PastTurn[], unit: ForecastUnit): number {
  let edge = tail;
  for (const turn of past) {
    const value = heldOf(turn, unit);
    if (value !== undefined) edge = Math.min(tailBounds[1], Math.max(tailBounds[0], edge + step * (2 * tail - (value ? 0 : 1))));
  }
  return edge;
}

/** Returns whether the actual cost was within the forecast range; `undefined` if there was no forecast in that unit. */
export function heldOf({ said, cost, tokens }: PastTurn, unit = said?.unit): boolean | undefined {
  if (!said || said.unit !== unit) return undefined;
  const value = said.unit === 'usd' ? cost : tokens;
  return value === undefined ? undefined : value >= said.low && value <= said.high;
}
