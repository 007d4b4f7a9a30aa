// What went wrong outside of any chat: the newest faults that the server told, each once.
import { handle } from 'agent-harness/transcript';
import type { Fault, WireEvent } from './api.ts';
import type { Store } from './client-contract.ts';
import { createStore, type Frames } from './store.ts';

const limit = 100;

export interface FaultList {
  readonly store: Store<readonly Fault[]>;
  /** Answers whether the event was one. */
  take(event: WireEvent): boolean;
}

export function createFaultList(frames: Frames): FaultList {
  const store = createStore<readonly Fault[]>([], frames);
  return {
    store,
    take(event) {
      // One with a chat stands in the journal of that chat since long ago.
      if (event.chatId !== undefined) return false;
      const error = (): true => {
        const known = store.get();
        // Whoever connects anew is told again.
        if (!known.some(({ id }) => id === event.id)) store.set([...known, event as unknown as Fault].slice(-limit));
        return true;
      };
      return handle(event, { error }) ?? false;
    },
  };
}
