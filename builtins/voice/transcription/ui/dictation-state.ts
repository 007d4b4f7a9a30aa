// Stores the page's state of the current dictation; there is at most one.
import type { Client, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { TextField } from '#page/points/contribution.ts';

export interface DictationState {
  /** `heard`: the field for the text no longer exists. */
  readonly phase: 'idle' | 'starting' | 'recording' | 'transcribing' | 'failed' | 'heard';
  /** Where the text goes. */
  readonly field?: TextField;
  /** The browser's preview so far. */
  readonly preview?: string;
  /** Why it failed, or another notice; for users. */
  readonly problem?: string;
  /** The clip is still available. */
  readonly canRetry?: boolean;
  readonly heard?: string;
}

export const noDictation: DictationState = { phase: 'idle' };

export const dictationStateOf = perObject('dictation', (_client: Client): ValueStore<DictationState> => createValue(noDictation));

/** The user's actions; times are those of the events. */
export interface Dictation {
  press(field: TextField, at: number, chatId: string | undefined): void;
  release(at: number): void;
  stop(): void;
  cancel(): void;
  again(): void;
  /** Inserts the recognised text there. */
  insert(field: TextField): void;
  /** From 0 to 1. */
  readonly level: Store<number>;
}
