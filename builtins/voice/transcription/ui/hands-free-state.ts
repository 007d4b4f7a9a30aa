// Stores the page's state of the hands-free conversation; there is at most one.
import type { Client, OpenChat, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpokenOutput } from '#page/points/contribution.ts';

export interface HandsFreeState {
  /** State of the conversation. `failed`: listening ended, and the last clip may be retried. */
  readonly phase: 'off' | 'starting' | 'listening' | 'hearing' | 'transcribing' | 'failed';
  readonly chatId?: string;
  readonly preview?: string;
  /** Reason of the end, or another notice. */
  readonly note?: string | undefined;
  readonly canRetry?: boolean;
}

export interface HandsFree {
  /** Starts listening, and sends utterances to this chat, until ended. */
  start(chat: OpenChat, output: SpokenOutput | undefined): void;
  /** Ignores the current pause. */
  wait(): void;
  /** Completes the current utterance. */
  send(): void;
  again(): void;
  /** Ends the conversation. @param note reason, if the user did not end the conversation */
  end(note?: string): void;
  /** Input level from 0 to 1. */
  readonly level: Store<number>;
}

export const noHandsFree: HandsFreeState = { phase: 'off' };

export const handsFreeStateOf = perObject('hands-free', (_client: Client): ValueStore<HandsFreeState> => createValue(noHandsFree));
