// Stores the newest errors that the server reported outside chats, without duplicates.
import { handle } from 'agent-harness/transcript';
import type { Fault, WireEvent } from './api.ts';
import type { Store } from './client-contract.ts';
import { createStore, type Frames } from './store.ts';

const limit = 100;

export interface FaultList {
  readonly store: Store<readonly Fault[]>;
  /** Returns whether the event was an error. */
  take(event: WireEvent): boolean;
}

export function createFaultList(frames: Frames): FaultList {
  const store = createStore<readonly Fault[]>([], frames);
  return {
    store,
    take(event) {
      // An error of a chat is already in the journal of that chat.
      if (event.chatId !== undefined) return false;
      const error = (): true => {
        const known = store.get();
        // A reconnected reader receives earlier errors again.
        if (!known.some(({ id }) => id === event.id)) store.set([...known, event as unknown as Fault].slice(-limit));
        return true;
      };
      return handle(event, { error }) ?? false;
    },
  };
}
