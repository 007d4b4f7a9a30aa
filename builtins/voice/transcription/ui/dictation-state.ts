// What the page knows of the dictation that is under way; there is one at most.
import type { Client, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { TextField } from '#page/points/contribution.ts';

export interface DictationState {
  /** `heard`: the field of the text is gone by now. */
  readonly phase: 'idle' | 'starting' | 'recording' | 'transcribing' | 'failed' | 'heard';
  /** Where the text goes. */
  readonly field?: TextField;
  /** What the browser makes of it so far. */
  readonly preview?: string;
  /** Why it failed, or what is to be known besides; for people. */
  readonly problem?: string;
  /** The clip is still there. */
  readonly canRetry?: boolean;
  readonly heard?: string;
}

export const noDictation: DictationState = { phase: 'idle' };

export const dictationStateOf = perObject('dictation', (_client: Client): ValueStore<DictationState> => createValue(noDictation));

/** What a person does with it; times are those of the events. */
export interface Dictation {
  press(field: TextField, at: number, chatId: string | undefined): void;
  release(at: number): void;
  stop(): void;
  cancel(): void;
  again(): void;
  /** Puts what was heard there. */
  insert(field: TextField): void;
  /** From 0 to 1. */
  readonly level: Store<number>;
}
