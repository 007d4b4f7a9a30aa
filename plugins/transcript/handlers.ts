// Calls the handler for the kind of a single event, outside of the fold.
import type { ReadEvent } from './batch.ts';
import type { EventKind } from './events.ts';
import type { ChatEvent } from './reduce.ts';

/** Callbacks by kind of event. */
export type Handlers<R = void> = { readonly [K in EventKind]?: (event: ReadEvent<K>) => R };

/** Runs the handler for the kind of the event; ignores other kinds. `reduce` has the effect of an event on a chat. */
export function handle<R>(event: ChatEvent, handlers: Handlers<R>): R | undefined {
  if (!Object.hasOwn(handlers, event.kind)) return undefined;
  return (handlers[event.kind as EventKind] as ((event: ChatEvent) => R) | undefined)?.(event);
}
