// Stores the state of the page's current dictation; there is at most one.
import type { Client, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { TextField } from '#page/points/contribution.ts';

export interface DictationState {
  /** State of the dictation. `heard`: the text is available, but its field no longer exists. */
  readonly phase: 'idle' | 'starting' | 'recording' | 'transcribing' | 'failed' | 'heard';
  /** Field that receives the text. */
  readonly field?: TextField;
  /** Current preview of the text from the browser's speech recognition. */
  readonly preview?: string;
  /** Reason for a failure, or another notice, for users. */
  readonly problem?: string;
  /** Whether the recording can be transcribed again. */
  readonly canRetry?: boolean;
  readonly heard?: string;
}

export const noDictation: DictationState = { phase: 'idle' };

export const dictationStateOf = perObject('dictation', (_client: Client): ValueStore<DictationState> => createValue(noDictation));

/** The actions that the user can take; times are those of the events. */
export interface Dictation {
  press(field: TextField, at: number, chatId: string | undefined): void;
  release(at: number): void;
  stop(): void;
  cancel(): void;
  again(): void;
  /** Inserts the recognised text into the field. */
  insert(field: TextField): void;
  /** Input level from 0 to 1. */
  readonly level: Store<number>;
}
