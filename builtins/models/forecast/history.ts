// Stores past turns in memory, with word counts that each turn updates, so that a forecast need not count words again.
import type { ForecastUnit } from './contract.ts';

export interface PastTurn {
  /** End time, ISO 8601. */
  readonly at: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly model: string;
  readonly workspaceRoot: string;
  /** Hashes of the words of the request, from {@link wordsOf}. */
  readonly words: readonly number[];
  /** Length of the request in UTF-16 code units. */
  readonly length: number;
  /** Tokens in the conversation before the turn. */
  readonly context: number;
  /** Input and output tokens, including those of subtasks and helper calls. */
  readonly tokens: number;
  /** Cost in USD; omitted if the provider did not report it. */
  readonly cost?: number;
  /** Name of the plugin that requested the turn; omitted if a user requested it, and in older lines. */
  readonly by?: string;
  /** The forecast that was made before the turn. */
  readonly said?: { readonly unit: ForecastUnit; readonly low: number; readonly high: number };
}

/** A past turn with the data that a forecast needs. */
export interface Remembered {
  readonly turn: PastTurn;
  /** Sum of the rarities of its words at the time when the turn was added. */
  readonly size: number;
}

export interface History {
  /** Past turns, oldest first. */
  readonly turns: readonly PastTurn[];
  readonly remembered: Iterable<Remembered>;
  /** Returns the turns that contain the word. */
  having(word: number): ReadonlySet<Remembered>;
  /** Returns the squared weight of a word: the rarer the word, the higher; almost 0 for a word that occurs in every second turn. */
  rarityOf(word: number): number;
  /** Adds a turn, and removes the oldest one beyond the limit. Processes only the words of these two turns. */
  add(turn: PastTurn): void;
}

/** Maximum number of stored turns; more do not improve a forecast. */
export const mostTurns = 600;

/** @param past past turns, oldest first */
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
