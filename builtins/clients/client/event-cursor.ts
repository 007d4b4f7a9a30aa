// From where on a reader of events asks for more when its connection broke.
import type { WireEvent } from './api.ts';

export interface EventCursor {
  /** The last event that needs no asking for; `undefined` before anything came. */
  readonly lastId: string | undefined;
  /** Each event as it comes, with its id where it has one. */
  see(event: WireEvent | undefined, id: string | undefined): void;
  forget(): void;
}

export function createEventCursor(): EventCursor {
  let lastId: string | undefined;
  return {
    get lastId() {
      return lastId;
    },
    see(event, id) {
      if (id !== undefined && id !== '') lastId = id;
      // Whoever saw nothing yet goes on from where this connection began.
      else if (event?.kind === 'connected' && lastId === undefined && typeof event['cursor'] === 'number') lastId = String(event['cursor']);
      // What came before it is gone for this reader, and so are its ids.
      else if (event?.kind === 'resync') lastId = undefined;
      else if (event?.kind === 'transcript_replay' && typeof event['cursor'] === 'number') lastId = String(event['cursor']);
    },
    forget() {
      lastId = undefined;
    },
  };
}
