// Stores the state of the page's hands-free conversation; there is at most one.
import type { Client, OpenChat, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpokenOutput } from '#page/points/contribution.ts';

export interface HandsFreeState {
  /** State of the conversation. `failed`: listening has ended, and the last clip can be retried. */
  readonly phase: 'off' | 'starting' | 'listening' | 'hearing' | 'transcribing' | 'failed';
  readonly chatId?: string;
  readonly preview?: string;
  /** Reason for the end, or another notice. */
  readonly note?: string | undefined;
  readonly canRetry?: boolean;
}

export interface HandsFree {
  /** Starts listening and sending utterances to this chat, until it is ended. */
  start(chat: OpenChat, output: SpokenOutput | undefined): void;
  /** Ignores the current pause. */
  wait(): void;
  /** Completes the current utterance. */
  send(): void;
  again(): void;
  /** Ends the conversation. @param note the reason, unless the user ended the conversation */
  end(note?: string): void;
  /** Input level from 0 to 1. */
  readonly level: Store<number>;
}

export const noHandsFree: HandsFreeState = { phase: 'off' };

export const handsFreeStateOf = perObject('hands-free', (_client: Client): ValueStore<HandsFreeState> => createValue(noHandsFree));
