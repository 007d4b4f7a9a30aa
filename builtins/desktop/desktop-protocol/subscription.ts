// Manages the event subscription of a client, which has at most one.
import { createSerialQueue } from '#lib/async';
import type { Rights, WebSocketConnection } from 'agent-harness/plugins/http';
import type { Pipe, Reading, Stream } from 'agent-harness/plugins/stream';
import { socketWire } from './frame.ts';

/** Parameters of a subscription. */
export type Asked = Omit<Reading, 'rights'>;

export interface Subscription {
  /** Replaces the previous subscription, which continues if this call rejects. */
  begin(asked: Asked): Promise<void>;
  end(): Promise<void>;
}

export function createSubscription(connection: WebSocketConnection, stream: Stream, rights: Rights): Subscription {
  const turns = createSerialQueue();
  let current: (Pipe & { leave(): void; drained(): void }) | undefined;
  connection.onDrain(() => current?.drained());
  connection.signal.addEventListener('abort', leave);

  function leave(): void {
    current?.leave();
    current = undefined;
  }

  function openPipe(): Pipe {
    leave();
    let onClose: (() => void) | undefined;
    let onDrain: (() => void) | undefined;
    let isLeft = connection.signal.aborted;
    current = {
      get isClosed() {
        return isLeft;
      },
      get bufferedBytes() {
        return connection.bufferedBytes;
      },
      write: (bytes) => connection.sendFrames(bytes),
      onDrain(listener) {
        onDrain = listener;
      },
      onClose(listener) {
        onClose = listener;
        if (isLeft) listener();
      },
      end(why) {
        // If all readers end, the server itself closes the connections, with the reason.
        if (why === 'slow') connection.close(1013, 'too slow');
      },
      destroy: () => connection.terminate(),
      drained: () => onDrain?.(),
      leave() {
        isLeft = true;
        onClose?.();
      },
    };
    return current;
  }

  return {
    begin: (asked) => turns.run(() => stream.read({ ...asked, rights }, socketWire, openPipe)),
    end: () => turns.run(leave),
  };
}
