// Tracks which third-party plugin is executing, measures its calls, and attributes faults to it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Interceptor, PluginReport } from 'agent-harness/kernel';
import { codeOf, messageOf, stackOf } from 'agent-harness/lib/errors';
import type { PluginFault } from 'agent-harness/plugins/settings';
import type { PluginFaultKind } from './quarantine.ts';

/** Milliseconds of computing in one call after which a stall is reported: the event loop serves nothing else meanwhile. */
const longestMs = 1_000;

export interface PluginWatch {
  readonly intercept: Interceptor;
  /** Name of the plugin whose code is executing. */
  working(): string | undefined;
  /** The plugin whose code failed: by the files in the error's stack, else by the work that the error came out of. */
  culpritOf(fault: unknown, plugins: readonly PluginReport[]): PluginReport | undefined;
}

export interface PluginWatchParts {
  /** Reports a fault of a plugin. */
  readonly say: (plugin: string, what: string) => void;
  /** Counts a fault of a plugin. */
  readonly heard: (plugin: string, kind: PluginFaultKind, message: string) => void;
  /** Receives each error of plugin code as it was thrown. */
  readonly failed: (fault: PluginFault) => void;
}

export function createPluginWatch({ say, heard, failed }: PluginWatchParts): PluginWatch {
  /** Milliseconds of the calls within each running call, the innermost last: a plugin is measured without what it calls of others. */
  const inner: number[] = [];
  const current = new AsyncLocalStorage<string>();
  const slow = new Set<string>();
  /** Properties of all objects that no plugin call has added. */
  const known = new Set<string>();

  function time<T>(plugin: string, work: () => T): T {
    const started = performance.now();
    inner.push(0);
    try {
      return work();
    } finally {
      const whole = performance.now() - started;
      const own = whole - (inner.pop() ?? 0);
      const outer = inner.pop();
      if (outer !== undefined) inner.push(outer + whole);
      if (own > longestMs) reportStall(plugin, own);
    }
  }

  function reportStall(plugin: string, ms: number): void {
    const what = `kept everybody waiting for ${(ms / 1000).toFixed(1)} s, because it computed that long in one go.`;
    heard(plugin, 'stall', what);
    if (slow.size < slow.add(plugin).size) say(plugin, what);
  }

  function fail(plugin: string, what: string, fault: unknown): never {
    failed({ plugin, what, fault });
    // A plugin that does not load fails by itself, and whoever calls a tool or a route may be the one at fault.
    if (!['load', 'register', 'tool', 'route'].includes(what) && !isAnswer(fault)) heard(plugin, 'error', messageOf(fault));
    throw fault;
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
      let answer: ReturnType<typeof work>;
      try {
        answer = current.run(plugin, () => time(plugin, work));
      } catch (fault) {
        return fail(plugin, what, fault);
      }
      if (answer instanceof Promise) {
        const done = answer.then(
          (value: unknown) => (refusePollution(plugin), value),
          (fault: unknown) => fail(plugin, what, fault),
        );
        return done as typeof answer;
      }
      refusePollution(plugin);
      return answer;
    },
    working: () => current.getStore(),
    culpritOf(fault, plugins) {
      const stack = stackOf(fault);
      const isIn = ({ place }: PluginReport): boolean => placesOf(place).some((part) => stack.includes(part));
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

/** The call was aborted, or the plugin refused it by its own table of errors. */
function isAnswer(fault: unknown): boolean {
  if (typeof fault !== 'object' || fault === null) return false;
  return (fault as { readonly name?: unknown }).name === 'AbortError' || codeOf(fault)?.includes('_ERR_') === true;
}

/** Forms of a file in a stack trace: path or URL, before a query or a position. A plugin with an index is its folder. */
function placesOf(place: string): string[] {
  const isFolder = /^index\.m?js$/.test(basename(place));
  const path = isFolder ? dirname(place) : place;
  const ends = isFolder ? ['/', '\\'] : [':', '?'];
  return path.includes('.') || isFolder ? ends.flatMap((end) => [`${path}${end}`, `${pathToFileURL(path).href}${end}`]) : [];
}
