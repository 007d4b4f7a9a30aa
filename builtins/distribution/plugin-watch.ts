// Watches the code of plugins that did not come with the product: knows whose code runs, and tells what it does to everybody.
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Interceptor, PluginReport } from 'agent-harness/kernel';
import { stackOf } from 'agent-harness/lib/errors';
import { createWhoseTime, type WhoseTime } from './loop/whose-time.ts';
import type { PluginMeter } from './plugin-usage.ts';

/** While one plugin computes, nobody else of this process does anything. */
const longestMs = 1_000;

export interface PluginWatch {
  readonly intercept: Interceptor;
  /** Whose work this is, where it is that of a plugin. */
  working(): string | undefined;
  readonly time: WhoseTime;
  /**
   * Charges what plugins compute after their calls have returned, too: after a wait, in timers, by what a stream or socket of theirs brings.
   * Each turn of the loop costs more from then on, so only where a plugin runs in this process. Until the answer is called.
   */
  followOn(): () => void;
  /** The loop stood still, as another thread saw it. @param startedAt as of `performance.now()` @param where in its code, where that is known */
  stoodStill(plugin: string, ms: number, startedAt: number, where?: string): void;
  /** The memory of the program grew while it ran most of the time, as another thread saw it. */
  grew(plugin: string, fromMb: number, toMb: number): void;
  /** Hears that a plugin is about to register. One listener. */
  onRegister(hear: () => void): void;
  /** The plugin whose code failed: by the files in the error's stack, else by the work that the error came out of. */
  culpritOf(fault: unknown, plugins: readonly PluginReport[]): PluginReport | undefined;
}

/** @param say tells everybody what a plugin did @param meter what it took is charged there @param works its code is about to run */
export function createPluginWatch(
  say: (plugin: string, what: string) => void,
  meter: Pick<PluginMeter, 'count' | 'fault' | 'failed'>,
  works: () => void,
): PluginWatch {
  const ownTime = createWhoseTime();
  const current = new AsyncLocalStorage<string>();
  const slow = new Set<string>();
  /** When a stall of it was told the last time. */
  const toldAt = new Map<string, number>();
  let hearRegister: (() => void) | undefined;
  /** Names that every object has; whoever brought them is not known or not to be undone. */
  const known = new Set<string>();

  function time<T>(plugin: string, work: () => T, what: string): T {
    ownTime.enter(plugin);
    try {
      return work();
    } catch (fault) {
      meter.failed(plugin, what, fault);
      throw fault;
    } finally {
      const { own } = ownTime.leave();
      meter.count(plugin, what, own);
      if (own > longestMs) tellStall(plugin, own, 'it computed that long in one go');
    }
  }

  function tellStall(plugin: string, ms: number, why: string): void {
    toldAt.set(plugin, performance.now());
    const what = `kept everybody waiting for ${(ms / 1000).toFixed(1)} s, because ${why}.`;
    meter.fault(plugin, 'stall', what);
    if (slow.size < slow.add(plugin).size) say(plugin, what);
  }

  /** Throws when the plugin gave every object a property, after taking it away: `for … in` meets it everywhere. */
  function refusePollution(plugin: string): void {
    for (const key of shared()) {
      for (const prototype of [Object.prototype, Array.prototype]) Reflect.deleteProperty(prototype, key);
      known.add(key);
      const isGone = !(key in []);
      if (isGone) known.delete(key);
      const what = `gave every object a property '${key}' (prototype pollution)${isGone ? '; it was taken away again' : ''}`;
      say(plugin, `${what}.`);
      throw new Error(`it ${what}.`);
    }
  }

  function shared(): string[] {
    const keys: string[] = [];
    for (const key in [] as object) if (!known.has(key)) keys.push(key);
    return keys;
  }

  return {
    intercept({ plugin, what }, work) {
      works();
      if (what === 'register') hearRegister?.();
      for (const key of shared()) known.add(key);
      const answer = current.run(plugin, () => time(plugin, work, what));
      const check = (): void => refusePollution(plugin);
      if (!(answer instanceof Promise)) check();
      const failed = (fault: unknown): never => {
        meter.failed(plugin, what, fault);
        throw fault;
      };
      return answer instanceof Promise ? (answer.then((value: unknown) => (check(), value), failed) as typeof answer) : answer;
    },
    working: () => current.getStore(),
    time: ownTime,
    followOn() {
      const hook = createHook({
        before(id) {
          const plugin = current.getStore();
          if (plugin === undefined) return;
          works();
          ownTime.enter(plugin, id);
        },
        after(id) {
          const plugin = current.getStore();
          if (plugin !== undefined && ownTime.id === id) meter.count(plugin, 'later', ownTime.leave().own);
        },
      }).enable();
      return () => void hook.disable();
    },
    stoodStill(plugin, ms, startedAt, where) {
      // The call that kept it has been charged already.
      if ((toldAt.get(plugin) ?? -Infinity) >= startedAt) return;
      tellStall(plugin, ms, `it computed that long${where === undefined ? '' : ` at ${where}`}, in a timer or after a wait`);
    },
    grew: (plugin, fromMb, toMb) => say(plugin, `ran while the program's memory grew from ${fromMb} to ${toMb} MB; nothing here can hold it.`),
    onRegister: (hear) => void (hearRegister = hear),
    culpritOf(fault, plugins) {
      const stack = stackOf(fault);
      const isIn = (plugin: PluginReport): boolean => partsOf(plugin).some((part) => stack.includes(part));
      const outside = plugins.filter(isOutside);
      const working = current.getStore();
      return outside.find(isIn) ?? outside.find(({ name }) => name === working) ?? plugins.find(isIn);
    },
  };
}

/** It did not come with the product. */
export function isOutside({ origin }: Pick<PluginReport, 'origin'>): boolean {
  return origin === 'user' || origin === 'bundle';
}

/** What stands in a stack that its code is in. */
export const partsOf = ({ place, name }: Pick<PluginReport, 'place' | 'name'>): string[] => [...placesOf(place), ...copiesOf(name)];

/** Where a version of it is kept. */
const copiesOf = (name: string): string[] => ['/', '\\'].map((between) => ['plugin-versions', name, ''].join(between));

/** How a file stands in a stack: as path or address, before a query or a position. A plugin with an index is its folder. */
function placesOf(place: string): string[] {
  const isFolder = /^index\.m?js$/.test(basename(place));
  const path = isFolder ? dirname(place) : place;
  const ends = isFolder ? ['/', '\\'] : [':', '?'];
  return path.includes('.') || isFolder ? ends.flatMap((end) => [`${path}${end}`, `${pathToFileURL(path).href}${end}`]) : [];
}
