// Notifications: synchronous fan-out, one owner per event, listeners isolated from each other.
import type { Disposable } from './types.ts';
import { kernelError } from './errors.ts';
import type { Intercept } from './interceptors.ts';
import { runOutside } from './reentrance.ts';
import { isPromiseLike } from './tap-run.ts';

type Listener = (payload: never) => void;
interface Channel {
  /** Replaced on change, never mutated, so that a fan-out in progress keeps its list. */
  listeners: readonly { readonly plugin: string; readonly listener: Listener }[];
}

/** Every plugin may emit this event. */
export const sharedEvent = 'error';

export interface EventBus {
  on(plugin: string, event: string, listener: Listener): Disposable;
  /** @param isMeant leaves out the listeners of other plugins */
  emit(plugin: string, event: string, payload: unknown, isMeant?: (plugin: string) => boolean): void;
  /** Makes `plugin` the only one that may emit `event`. */
  own(plugin: string, event: string): Disposable;
  /** Listeners of events that no plugin owns. */
  unowned(): { plugin: string; name: string }[];
  names(): string[];
  trace(): string[];
}

/** @param onFault gets the fault that a listener threw, or later its promise's rejection; must not emit the same event again */
export function createEventBus(intercept: Intercept, onFault: (plugin: string, event: string, cause: unknown, isLate: boolean) => void): EventBus {
  const channels = new Map<string, Channel>();
  const owners = new Map<string, string>();

  return {
    on(plugin, event, listener) {
      const channel = channels.get(event) ?? { listeners: [] };
      channels.set(event, channel);
      const added = { plugin, listener: intercept(plugin, 'listener', listener) };
      channel.listeners = [...channel.listeners, added];
      return {
        dispose() {
          channel.listeners = channel.listeners.filter((one) => one !== added);
          if (channel.listeners.length === 0 && channels.get(event) === channel) channels.delete(event);
        },
      };
    },

    emit(plugin, event, payload, isMeant) {
      const owner = owners.get(event);
      if (owner !== plugin && event !== sharedEvent) {
        const why = owner === undefined ? 'no manifest lists it in events.' : `it belongs to '${owner}'.`;
        throw kernelError('EVENT_NOT_OWNER', { plugin, event, why });
      }
      const channel = channels.get(event);
      if (!channel) return;
      for (const { plugin: listening, listener } of channel.listeners) {
        if (isMeant?.(listening) === false) continue;
        try {
          const answer: unknown = runOutside(() => listener(payload as never));
          if (isPromiseLike(answer)) answer.then(undefined, (cause: unknown) => onFault(listening, event, cause, true));
        } catch (cause) {
          onFault(listening, event, cause, false);
        }
      }
    },

    own(plugin, event) {
      const owner = owners.get(event);
      if (owner !== undefined) throw kernelError('EVENT_DUPLICATE', { event, first: owner, second: plugin });
      owners.set(event, plugin);
      return { dispose: () => void owners.delete(event) };
    },

    unowned() {
      const isOwned = (name: string): boolean => name === sharedEvent || owners.has(name);
      return [...channels].flatMap(([name, { listeners }]) => (isOwned(name) ? [] : listeners.map(({ plugin }) => ({ plugin, name }))));
    },

    names: () => [...owners.keys(), sharedEvent],

    trace() {
      return [
        ...[...owners].map(([event, plugin]) => `event:${event}@${plugin}`),
        ...[...channels].flatMap(([event, channel]) => channel.listeners.map((one) => `on:${event}@${one.plugin}`)),
      ];
    },
  };
}
