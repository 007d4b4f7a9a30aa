// Events one by one, for whoever reacts to what happens: the one place outside of the fold that tells kinds apart.
import type { ReadEvent } from './batch.ts';
import type { EventKind } from './events.ts';
import type { ChatEvent } from './reduce.ts';

/** What somebody does with events, by kind. */
export type Handlers<R = void> = { readonly [K in EventKind]?: (event: ReadEvent<K>) => R };

/** Runs the handler for the kind of the event; one of another kind is passed over. What an event makes of a chat says `reduce`. */
export function handle<R>(event: ChatEvent, handlers: Handlers<R>): R | undefined {
  if (!Object.hasOwn(handlers, event.kind)) return undefined;
  return (handlers[event.kind as EventKind] as ((event: ChatEvent) => R) | undefined)?.(event);
}
