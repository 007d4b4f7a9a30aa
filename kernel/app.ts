// Starts the app for its first holder, stops it after the last one, and runs `app.start` for plugins that join meanwhile.
import type { Disposable } from './types.ts';
import { createQueue } from './reentrance.ts';

export interface AppParts<Member> {
  members(): Iterable<Member>;
  call(hook: 'app.start' | 'app.stop'): Promise<void>;
  /** Never rejects. */
  welcome(late: readonly Member[]): Promise<unknown>;
}

export function createApp<Member>({ members, call, welcome }: AppParts<Member>) {
  const holders = new Set<Disposable>();
  const inTurn = createQueue();
  /** Members present at the start or added since; `undefined` while the app does not run. */
  let known: Set<Member> | undefined;

  async function start(): Promise<void> {
    known = new Set(members());
    // If a tap rejects, the start is undone.
    await call('app.start').catch(async (fault: unknown) => {
      await stop();
      throw fault;
    });
  }

  function stop(): Promise<void> {
    known = undefined;
    return call('app.stop');
  }

  async function letGo(holder: Disposable): Promise<void> {
    if (holders.delete(holder) && holders.size === 0) await stop();
  }

  return {
    hold: (): Promise<Disposable> =>
      inTurn('start the app', async () => {
        if (holders.size === 0) await start();
        const holder: Disposable = { dispose: () => inTurn('let the app go', () => letGo(holder)) };
        holders.add(holder);
        return holder;
      }),
    /** The set of members may have changed. */
    joined(): void {
      const late = known ? [...members()].filter((member) => !known?.has(member)) : [];
      for (const member of late) known?.add(member);
      // Queued behind a start or stop in progress; a tap that never ends does not block the caller.
      if (late.length > 0) void inTurn('welcome plugins', async () => void (holders.size > 0 && welcome(late)));
    },
    /** Stops the app even if it still has holders. */
    end: (): Promise<void> =>
      inTurn('stop the app', async () => {
        for (const holder of holders) await letGo(holder);
      }),
  };
}
