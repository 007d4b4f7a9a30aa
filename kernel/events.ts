// Delivers events synchronously. Each event has one owner, and listeners are isolated from each other.
import { kernelError } from './errors.ts';
import type { Intercept } from './interceptors.ts';
import { createNameTable, type NameUse } from './name-table.ts';
import { runOutside } from './reentrance.ts';
import { isPromiseLike } from './tap-run.ts';

interface Listening extends NameUse {
  readonly listener: (payload: never) => void;
}

/** The event that every plugin may emit. */
export const sharedEvent = 'error';

export type EventBus = ReturnType<typeof createEventBus>;

/** Creates the event bus. @param onFault receives an error that a listener throws or later rejects with; must not emit the same event again */
export function createEventBus(intercept: Intercept, onFault: (plugin: string, event: string, cause: unknown, isLate: boolean) => void) {
  const names = createNameTable<true, Listening>('event');
  return {
    names,
    on: (plugin: string, event: string, listener: Listening['listener']) => names.use(event, { plugin, listener: intercept(plugin, 'listener', listener) }),

    /** @param isMeant selects the plugins whose listeners are called */
    emit(plugin: string, event: string, payload: unknown, isMeant?: (plugin: string) => boolean): void {
      const { owner, uses = [] } = names.get(event) ?? {};
      if (owner?.plugin !== plugin && event !== sharedEvent) {
        const why = owner ? `it belongs to '${owner.plugin}'.` : 'no manifest lists it in events.';
        throw kernelError('EVENT_NOT_OWNER', { plugin, event, why });
      }
      for (const { plugin: listening, listener } of uses) {
        if (isMeant?.(listening) === false) continue;
        try {
          const answer: unknown = runOutside(() => listener(payload as never));
          if (isPromiseLike(answer)) answer.then(undefined, (cause: unknown) => onFault(listening, event, cause, true));
        } catch (cause) {
          onFault(listening, event, cause, false);
        }
      }
    },

    trace: () => names.trace((event, uses) => uses.map(({ plugin }) => `on:${event}@${plugin}`)),
  };
}
