// Starts the app for its first holder and stops it after the last one; runs `app.start` for third-party plugins that are loaded later.
import type { Disposable } from './types.ts';
import type { HookBus } from './hooks.ts';
import { isThirdParty, type PluginRecord, type PluginTable } from './record.ts';
import { createQueue } from './reentrance.ts';

export function createApp({ table, hooks }: { readonly table: PluginTable; readonly hooks: HookBus }) {
  const holders = new Set<Disposable>();
  const inTurn = createQueue();
  /** Plugins that received the hook; `undefined` while the app does not run. */
  let known: Set<PluginRecord> | undefined;
  const members = (): PluginRecord[] => [...table.running].filter((one) => isThirdParty(one) && one.status.kind === 'active');

  async function start(): Promise<void> {
    known = new Set(members());
    try {
      await hooks.call('kernel', 'app.start', []);
    } catch (fault) {
      await stop();
      throw fault;
    }
  }

  async function stop(): Promise<void> {
    known = undefined;
    await hooks.call('kernel', 'app.stop', []);
  }

  async function release(holder: Disposable): Promise<void> {
    if (holders.delete(holder) && holders.size === 0) await stop();
  }

  return {
    hold: (): Promise<Disposable> =>
      inTurn('start the app', async () => {
        if (holders.size === 0) await start();
        const holder: Disposable = { dispose: () => inTurn('release the app', () => release(holder)) };
        holders.add(holder);
        return holder;
      }),
    /** Starts third-party plugins that became active after the app started. */
    joined(): void {
      const late = known ? members().filter((one) => !known?.has(one)) : [];
      for (const one of late) known?.add(one);
      const names = new Set(late.map(({ name }) => name));
      // Queued behind a start or stop that is running; a tap that never ends does not block the caller.
      if (late.length > 0) void inTurn('start late plugins', async () => void (holders.size > 0 && hooks.callOf(names, 'app.start')));
    },
    /** Stops the app even if it still has holders. */
    end: (): Promise<void> =>
      inTurn('stop the app', async () => {
        for (const holder of holders) await release(holder);
      }),
  };
}
