// Starts the app for the first who wants it to work, and stops it after the last.
import type { Disposable } from './contracts.ts';
import { createQueue } from './scope.ts';

export interface Work {
  hold(): Promise<Disposable>;
  /** Runs that after what starts or stops now, if the app works then. */
  join(run: () => Promise<unknown>): Promise<void>;
  /** Stops it whoever holds it. */
  end(): Promise<void>;
}

/** @param start rejects when it could not, after which `stop` runs as well: some of it may have begun */
export function createWork(start: () => Promise<void>, stop: () => Promise<void>): Work {
  const holders = new Set<Disposable>();
  const inTurn = createQueue();

  async function letGo(holder: Disposable): Promise<void> {
    if (holders.delete(holder) && holders.size === 0) await stop();
  }

  return {
    hold: () =>
      inTurn(async () => {
        const holder: Disposable = { dispose: () => inTurn(() => letGo(holder)) };
        if (holders.size === 0) {
          await start().catch(async (fault: unknown) => {
            await stop();
            throw fault;
          });
        }
        holders.add(holder);
        return holder;
      }),
    join: (run) =>
      inTurn(async () => {
        if (holders.size > 0) await run();
      }),
    end: () =>
      inTurn(async () => {
        const isWorking = holders.size > 0;
        holders.clear();
        if (isWorking) await stop();
      }),
  };
}
