// Stores the page's speech state.
import type { Client } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpokenOutput } from '#page/points/contribution.ts';

export interface SpeechState {
  /** Chats whose replies this page speaks. */
  readonly own: ReadonlySet<string>;
  /** Chats whose replies another client speaks. */
  readonly elsewhere: ReadonlySet<string>;
  readonly now?:
    | {
        readonly chatId: string;
        /** Id of a message that is being read aloud. */
        readonly messageId?: string;
        readonly text: string;
        /** State of the playback; `blocked`: the browser requires a user action first. */
        readonly is: 'preparing' | 'playing' | 'paused' | 'blocked';
      }
    | undefined;
  /** Cost in USD since this page was opened; `undefined` if nothing was reported. */
  readonly cost?: number;
  readonly problem?: string | undefined;
}

/** The actions that the user can take. */
export interface SpokenReplies extends SpokenOutput {
  read(chatId: string, messageId: string, text: string): Promise<void>;
  readonly speed: ValueStore<number>;
  /** Restores the page's claim after a reload. */
  restore(chatId: string): void;
}

const kept = 'voice:spoken';

export const speechStateOf = perObject('speech', (_client: Client): ValueStore<SpeechState> =>
  createValue({ own: new Set<string>(), elsewhere: new Set<string>() }),
);

/** Returns the chats that this tab speaks, including after a reload. */
export function readSpoken(): ReadonlySet<string> {
  try {
    const parsed: unknown = JSON.parse(sessionStorage.getItem(kept) ?? '[]');
    return new Set(Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : []);
  } catch {
    return new Set(); // the browser provides no storage
  }
}

export function keepSpoken(chatIds: ReadonlySet<string>): void {
  try {
    sessionStorage.setItem(kept, JSON.stringify([...chatIds]));
  } catch {
    // The state is not stored across reloads.
  }
}

export const withOut = <T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> => new Set([...set].filter((other) => other !== one));
export const withIn = <T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> => new Set([...set, one]);
