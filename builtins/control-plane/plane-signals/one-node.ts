// Implements signals without NATS: within the node, and from CLI commands to the node through the database.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { createUnderWay } from '#lib/async';
import { recordIn } from '#lib/values';
import type { Signals } from './contract.ts';
import { createLocalSignals } from './local-signals.ts';

export interface OneNode {
  readonly signals: Signals;
  /** Marks this process as the node, which listens; otherwise it is a command, which notifies the node. */
  serve(): void;
  /** Waits until sent notifications have reached the database. */
  dispose(): Promise<void>;
}

const channel = 'plane_signals';
/** Limit of PostgreSQL. */
const maxBytes = 7_900;

export function createOneNode({ database, onFault }: { readonly database: Database; readonly onFault: (fault: unknown, topic: string) => void }): OneNode {
  const local = createLocalSignals(onFault);
  const telling = createUnderWay();
  let listening: ReturnType<Database['listen']> | undefined;

  function notify(topic: string, payload: unknown): void {
    const text = JSON.stringify({ topic, payload });
    if (Buffer.byteLength(text) > maxBytes) return;
    void telling.add(database.notify(channel, text).catch((fault: unknown) => onFault(fault, topic)));
  }

  return {
    signals: {
      publish(topic, payload) {
        local.publish(topic, payload);
        if (!listening) notify(topic, payload);
      },
      subscribe: (topic, listener) => local.subscribe(topic, listener),
      state: () => 'in-process',
      onRecovered: () => ({ dispose: () => undefined }),
    },
    serve() {
      listening ??= database.listen(channel, (text) => {
        const { topic, payload } = recordIn(text);
        if (typeof topic === 'string') local.publish(topic, payload);
      });
    },
    async dispose() {
      await telling.idle();
      await listening?.dispose();
    },
  };
}
