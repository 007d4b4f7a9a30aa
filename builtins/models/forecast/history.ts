// Stores past turns with counts of their words, updated with each turn, so that a forecast reads no words again.
import type { ForecastUnit } from './contract.ts';

export interface PastTurn {
  /** ISO 8601. */
  readonly at: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly model: string;
  readonly workspaceRoot: string;
  /** Words of the request: {@link wordsOf}. */
  readonly words: readonly number[];
  /** Length of the request in UTF-16 units. */
  readonly length: number;
  /** Tokens of the conversation before the turn. */
  readonly context: number;
  /** Input and output, including those of tasks and of helper calls. */
  readonly tokens: number;
  /** In USD; left out if the provider did not report it. */
  readonly cost?: number;
  /** The plugin that requested the turn; left out for a user, and in older lines. */
  readonly by?: string;
  /** The forecast before the turn. */
  readonly said?: { readonly unit: ForecastUnit; readonly low: number; readonly high: number };
}

/** A past turn with the data that a forecast needs. */
export interface Remembered {
  readonly turn: PastTurn;
  /** Sum of the rarity of its words at the time it was added. */
  readonly size: number;
}

export interface History {
  /** Oldest first. */
  readonly turns: readonly PastTurn[];
  readonly remembered: Iterable<Remembered>;
  /** Returns the turns that contain the word. */
  having(word: number): ReadonlySet<Remembered>;
  /** Returns the square of a word's significance: a word in every second turn has little. */
  rarityOf(word: number): number;
  /** Adds a turn, and drops the oldest one beyond the limit. Visits only the words of these two turns. */
  add(turn: PastTurn): void;
}

/** Maximum number of turns; more do not improve a forecast. */
export const mostTurns = 600;

/** @param past oldest first */
export function createHistory(past: readonly PastTurn[]): History {
  const turns: PastTurn[] = [];
  const remembered: Remembered[] = [];
  const having = new Map<number, Set<Remembered>>();

  const rarityOf = (word: number): number => Math.log((turns.length + 1) / ((having.get(word)?.size ?? 0) + 0.5)) ** 2;

  function add(turn: PastTurn): void {
    turns.push(turn);
    const words = [...turn.words];
    const one: Remembered = { turn, size: words.reduce((sum, word) => sum + rarityOf(word), 0) };
    remembered.push(one);
    for (const word of words) having.set(word, (having.get(word) ?? new Set()).add(one));
    if (turns.length <= mostTurns) return;
    turns.shift();
    const oldest = remembered.shift();
    for (const word of oldest?.turn.words ?? []) {
      const others = having.get(word);
      if (oldest) others?.delete(oldest);
      if (others?.size === 0) having.delete(word);
    }
  }

  past.slice(-mostTurns).forEach(add);
  return { turns, remembered, add, rarityOf, having: (word) => having.get(word) ?? new Set() };
}
