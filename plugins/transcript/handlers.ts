// Calls the handler for the kind of a single chat event, without applying it to the state of the chat.
import type { ReadEvent } from './batch.ts';
import type { EventKind } from './events.ts';
import type { ChatEvent } from './reduce.ts';

export type Handlers<R = void> = { readonly [K in EventKind]?: (event: ReadEvent<K>) => R };

/** Runs the handler for the kind of the event; ignores kinds without a handler. To apply an event to a chat, use `reduce`. */
export function handle<R>(event: ChatEvent, handlers: Handlers<R>): R | undefined {
  if (!Object.hasOwn(handlers, event.kind)) return undefined;
  return (handlers[event.kind as EventKind] as ((event: ChatEvent) => R) | undefined)?.(event);
}
