// Buffers the events of a chat until the next frame or load, without duplicates.
import type { WireEvent } from './api.ts';

export class EventBuffer {
  #events: WireEvent[] = [];
  #lastId = 0;

  get size(): number {
    return this.#events.length;
  }

  /** Registers the id of an event. Returns whether the event is newer than all earlier ones; events without an id always are. */
  register(event: WireEvent): boolean {
    if (event.id === undefined) return true;
    if (event.id <= this.#lastId) return false;
    this.#lastId = event.id;
    return true;
  }

  add(event: WireEvent): void {
    this.#events.push(event);
  }

  take(): WireEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Forgets all events: the transcript is loaded again. */
  restart(): void {
    this.#events = [];
    this.#lastId = 0;
  }

  /** Drops events that a page of the transcript already contains. */
  takenUpTo(id = 0): void {
    this.#lastId = Math.max(this.#lastId, id);
    this.#events = this.#events.filter((event) => event.id === undefined || event.id > id);
  }
}
