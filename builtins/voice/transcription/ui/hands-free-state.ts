// Stores the page's state of the hands-free conversation; there is at most one.
import type { Client, OpenChat, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpokenOutput } from '#page/points/contribution.ts';

export interface HandsFreeState {
  /** `failed`: it no longer listens, and the last clip may be retried. */
  readonly phase: 'off' | 'starting' | 'listening' | 'hearing' | 'transcribing' | 'failed';
  readonly chatId?: string;
  readonly preview?: string;
  /** Why it ended, or another notice. */
  readonly note?: string | undefined;
  readonly canRetry?: boolean;
}

export interface HandsFree {
  /** Listens, and sends what is said to this chat, until it is ended. */
  start(chat: OpenChat, output: SpokenOutput | undefined): void;
  /** The current pause does not count. */
  wait(): void;
  /** What was said so far is complete. */
  send(): void;
  again(): void;
  /** @param note the reason, if it was not ended by the user */
  end(note?: string): void;
  /** From 0 to 1. */
  readonly level: Store<number>;
}

export const noHandsFree: HandsFreeState = { phase: 'off' };

export const handsFreeStateOf = perObject('hands-free', (_client: Client): ValueStore<HandsFreeState> => createValue(noHandsFree));
