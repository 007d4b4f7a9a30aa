// Tracks which third-party plugin is executing, charges its time, and attributes faults to it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Interceptor, PluginReport } from 'agent-harness/kernel';
import { stackOf } from 'agent-harness/lib/errors';
import type { PluginMeter } from './plugin-usage.ts';

/** Milliseconds of computing in one call after which a stall is reported: the event loop serves nothing else meanwhile. */
const longestMs = 1_000;

export interface PluginWatch {
  readonly intercept: Interceptor;
  /** Name of the plugin whose code is executing. */
  working(): string | undefined;
  /** The plugin whose code failed: by the files in the error's stack, else by the work that the error came out of. */
  culpritOf(fault: unknown, plugins: readonly PluginReport[]): PluginReport | undefined;
}

/** @param say reports a fault of a plugin @param meter charges calls and faults */
export function createPluginWatch(say: (plugin: string, what: string) => void, meter: Pick<PluginMeter, 'count' | 'fault' | 'failed'>): PluginWatch {
  /** Milliseconds of calls within each call that runs, the innermost last: each plugin is charged for its own code. */
  const inner: number[] = [];
  const current = new AsyncLocalStorage<string>();
  const slow = new Set<string>();
  /** Properties of all objects that no plugin call has added. */
  const known = new Set<string>();

  function time<T>(plugin: string, work: () => T, what: string): T {
    const started = performance.now();
    inner.push(0);
    try {
      return work();
    } catch (fault) {
      meter.failed(plugin, what, fault);
      throw fault;
    } finally {
      const whole = performance.now() - started;
      const own = whole - (inner.pop() ?? 0);
      const outer = inner.pop();
      if (outer !== undefined) inner.push(outer + whole);
      meter.count(plugin, what, own);
      if (own > longestMs) reportStall(plugin, own);
    }
  }

  function reportStall(plugin: string, ms: number): void {
    const what = `kept everybody waiting for ${(ms / 1000).toFixed(1)} s, because it computed that long in one go.`;
    meter.fault(plugin, 'stall', what);
    if (slow.size < slow.add(plugin).size) say(plugin, what);
  }

  /** Throws after prototype pollution by the plugin, and removes the property. */
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
    culpritOf(fault, plugins) {
      const stack = stackOf(fault);
      const isIn = (plugin: PluginReport): boolean => partsOf(plugin).some((part) => stack.includes(part));
      const outside = plugins.filter(isOutside);
      const working = current.getStore();
      return outside.find(isIn) ?? outside.find(({ name }) => name === working) ?? plugins.find(isIn);
    },
  };
}

/** Whether a plugin is third-party code. */
export function isOutside({ origin }: Pick<PluginReport, 'origin'>): boolean {
  return origin === 'user' || origin === 'bundle';
}

/** Texts by which a stack trace shows code of the plugin. */
export const partsOf = ({ place, name }: Pick<PluginReport, 'place' | 'name'>): string[] => [...placesOf(place), ...copiesOf(name)];

/** Folder of its stored versions. */
const copiesOf = (name: string): string[] => ['/', '\\'].map((between) => ['plugin-versions', name, ''].join(between));

/** Forms of a file in a stack trace: path or URL, before a query or a position. A plugin with an index is its folder. */
function placesOf(place: string): string[] {
  const isFolder = /^index\.m?js$/.test(basename(place));
  const path = isFolder ? dirname(place) : place;
  const ends = isFolder ? ['/', '\\'] : [':', '?'];
  return path.includes('.') || isFolder ? ends.flatMap((end) => [`${path}${end}`, `${pathToFileURL(path).href}${end}`]) : [];
}
