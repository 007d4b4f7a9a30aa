// Starts the app for the first who wants it to work, and stops it after the last; whoever joins it meanwhile is told that it works.
import type { Disposable } from './contracts.ts';
import { createQueue } from './reentrance.ts';

export interface Work {
  hold(): Promise<Disposable>;
  /** The members may be others now: those that came since the app began to work are welcomed, each once. */
  joined(): void;
  /** Stops it whoever holds it. */
  end(): Promise<void>;
}

export interface WorkParts<Member> {
  members(): Iterable<Member>;
  /** Rejects when the app could not start; then it is stopped as well, since some of it may have begun. */
  call(hook: 'app.start' | 'app.stop'): Promise<void>;
  /** Never rejects. */
  welcome(late: readonly Member[]): Promise<unknown>;
}

export function createWork<Member>({ members, call, welcome }: WorkParts<Member>): Work {
  const holders = new Set<Disposable>();
  const inTurn = createQueue();
  /** Who was there as it began to work, or has been welcomed since; `undefined` while it does not work. */
  let known: Set<Member> | undefined;

  function begin(): Promise<void> {
    known = new Set(members());
    return call('app.start');
  }

  function cease(): Promise<void> {
    known = undefined;
    return call('app.stop');
  }

  async function letGo(holder: Disposable): Promise<void> {
    if (holders.delete(holder) && holders.size === 0) await cease();
  }

  return {
    hold: () =>
      inTurn('start the app', async () => {
        const holder: Disposable = { dispose: () => inTurn('let the app go', () => letGo(holder)) };
        if (holders.size === 0) {
          await begin().catch(async (fault: unknown) => {
            await cease();
            throw fault;
          });
        }
        holders.add(holder);
        return holder;
      }),
    joined() {
      const now = known;
      if (!now) return;
      const late = [...members()].filter((member) => !now.has(member));
      for (const member of late) now.add(member);
      // After what starts or stops just now; but whoever never ends what it begins then holds up nobody.
      if (late.length > 0) void inTurn('welcome plugins', async () => void (holders.size > 0 && welcome(late)));
    },
    end: () =>
      inTurn('stop the app', async () => {
        const isWorking = holders.size > 0;
        holders.clear();
        if (isWorking) await cease();
      }),
  };
}
