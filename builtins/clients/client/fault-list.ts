// Keeps the newest faults outside of any chat reported by the server, without duplicates.
import { handle } from 'agent-harness/transcript';
import type { Fault, WireEvent } from './api.ts';
import type { Store } from './client-contract.ts';
import { createStore, type Frames } from './store.ts';

const limit = 100;

export interface FaultList {
  readonly store: Store<readonly Fault[]>;
  /** Returns whether the event was a fault. */
  take(event: WireEvent): boolean;
}

export function createFaultList(frames: Frames): FaultList {
  const store = createStore<readonly Fault[]>([], frames);
  return {
    store,
    take(event) {
      // A fault with a chat is already in the journal of that chat.
      if (event.chatId !== undefined) return false;
      const error = (): true => {
        const known = store.get();
        // A reconnected reader gets them again.
        if (!known.some(({ id }) => id === event.id)) store.set([...known, event as unknown as Fault].slice(-limit));
        return true;
      };
      return handle(event, { error }) ?? false;
    },
  };
}
