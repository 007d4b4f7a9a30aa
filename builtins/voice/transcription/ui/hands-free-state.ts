// What the page knows of a conversation without hands; there is one at most.
import type { Client, OpenChat, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpokenOutput } from '#page/points/contribution.ts';

export interface HandsFreeState {
  /** `failed`: it listens no more, and the last clip may be tried again. */
  readonly phase: 'off' | 'starting' | 'listening' | 'hearing' | 'transcribing' | 'failed';
  readonly chatId?: string;
  readonly preview?: string;
  /** Why it ended, or what is to be known. */
  readonly note?: string | undefined;
  readonly canRetry?: boolean;
}

export interface HandsFree {
  /** Listens, and sends what is said to this chat, until it is ended. */
  start(chat: OpenChat, output: SpokenOutput | undefined): void;
  /** The pause that is on now is none. */
  wait(): void;
  /** What was said so far is all. */
  send(): void;
  again(): void;
  /** @param note why, where it was not the person */
  end(note?: string): void;
  /** From 0 to 1. */
  readonly level: Store<number>;
}

export const noHandsFree: HandsFreeState = { phase: 'off' };

export const handsFreeStateOf = perObject('hands-free', (_client: Client): ValueStore<HandsFreeState> => createValue(noHandsFree));
