// Implements signals without NATS: within the only node, and from CLI commands to the node through the database.
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { createUnderWay } from '#lib/async';
import { recordIn } from '#lib/values';
import type { Signals } from './contract.ts';
import { createLocalSignals } from './local-signals.ts';

export interface SingleNode {
  readonly signals: Signals;
  /** Marks this process as the node, which listens; other processes are CLI commands, which notify the node. */
  serve(): void;
  /** Waits until sent notifications have reached the database. */
  dispose(): Promise<void>;
}

const channel = 'plane_signals';
/** Maximum size of a notification in bytes, a limit of PostgreSQL. */
const maxBytes = 7_900;

export function createSingleNode({
  database,
  onFault,
}: {
  readonly database: Database;
  readonly onFault: (fault: unknown, topic: string) => void;
}): SingleNode {
  const local = createLocalSignals(onFault);
  const pending = createUnderWay();
  let listening: ReturnType<Database['listen']> | undefined;

  function notify(topic: string, payload: unknown): void {
    const text = JSON.stringify({ topic, payload });
    if (Buffer.byteLength(text) > maxBytes) return;
    void pending.add(database.notify(channel, text).catch((fault: unknown) => onFault(fault, topic)));
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
      await pending.idle();
      await listening?.dispose();
    },
  };
}
