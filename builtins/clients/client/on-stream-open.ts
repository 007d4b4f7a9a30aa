// Loads server data while the event stream is open, so that no event between loading and listening is missed.
import type { ConnectionState } from './state.ts';
import type { Store } from './client-contract.ts';

/** Time without a stream after which data is loaded anyway, in milliseconds. It is loaded again once the stream opens. */
export const streamPatienceMs = 1_000;

/**
 * Calls `load` once the stream of the connection is open, or after {@link streamPatienceMs} without one, and again each time it reopens.
 * @returns a function that stops these calls
 */
export function onStreamOpen(connection: Store<ConnectionState>, load: () => void): () => void {
  let { stream } = connection.get();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = connection.subscribe(() => {
    const before = stream;
    stream = connection.get().stream;
    if (stream !== 'open' || before === 'open') return;
    clearTimeout(timer);
    load();
  });
  if (stream === 'open') load();
  else timer = setTimeout(load, streamPatienceMs);
  return () => {
    clearTimeout(timer);
    leave();
  };
}
