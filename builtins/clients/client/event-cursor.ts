// Tracks the position from which an event reader resumes after it reconnects.
import type { WireEvent } from './api.ts';

export interface EventCursor {
  /** Id of the last received event; `undefined` before the first. */
  readonly lastId: string | undefined;
  /** Receives each event, with its id if it has one. */
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
      // A reader that has received no events resumes from the position at which this connection began.
      else if (event?.kind === 'connected' && lastId === undefined && typeof event['cursor'] === 'number') lastId = String(event['cursor']);
      // This reader has missed earlier events, and their ids are no longer valid.
      else if (event?.kind === 'resync') lastId = undefined;
      else if (event?.kind === 'transcript_replay' && typeof event['cursor'] === 'number') lastId = String(event['cursor']);
    },
    forget() {
      lastId = undefined;
    },
  };
}
