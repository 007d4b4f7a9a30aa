// Attributes slow calls, errors and process exits to the third-party plugin whose code is executing.
import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Interceptor, Kernel, PluginReport } from 'agent-harness/kernel';
import { codeOf, messageOf, stackOf } from '#lib/errors';
import type { PluginFault } from 'agent-harness/plugins/settings';
import { faultLines } from '../log-lines.ts';
import { isOutside } from './plugin-files.ts';
import type { PluginFaultKind, Quarantine } from './quarantine.ts';
import type { RunMarker } from './run-marker.ts';

/** CPU time of one call, in milliseconds, after which the call is reported because it blocks the event loop. */
const longestMs = 1_000;

export interface PluginWatch {
  readonly intercept: Interceptor;
  /** Returns the name of the plugin whose code is executing; `undefined` if none is. */
  working(): string | undefined;
  /** Returns the plugin whose code failed, determined by the files in the error's stack, otherwise by the async context of the error. */
  culpritOf(fault: unknown, plugins: readonly PluginReport[]): PluginReport | undefined;
}

export interface PluginWatchParts {
  /** Reports an error of a plugin to the user. */
  readonly say: (plugin: string, what: string) => void;
  /** Counts an error of a plugin for the quarantine. */
  readonly heard: (plugin: string, kind: PluginFaultKind, message: string) => void;
  /** Receives each error of plugin code as it was thrown. */
  readonly failed: (fault: PluginFault) => void;
}

export function createPluginWatch({ say, heard, failed }: PluginWatchParts): PluginWatch {
  /** Time, in milliseconds, that each running call has spent in nested calls, innermost last. The time of other plugins is not counted. */
  const inner: number[] = [];
  const current = new AsyncLocalStorage<string>();
  const slow = new Set<string>();
  /** Properties of `Object.prototype` that no plugin added. */
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
    const what = `blocked the server for ${(ms / 1000).toFixed(1)} s with one uninterrupted computation.`;
    heard(plugin, 'stall', what);
    if (slow.size < slow.add(plugin).size) say(plugin, what);
  }

  function fail(plugin: string, what: string, fault: unknown): never {
    failed({ plugin, what, fault });
    // A plugin that does not load fails without being quarantined. Errors of a tool or a route may be the caller's fault.
    if (!['load', 'register', 'tool', 'route'].includes(what) && !isAnswer(fault)) heard(plugin, 'error', messageOf(fault));
    if (what === 'route' && !isAnswer(fault)) say(plugin, `failed in a route: ${sentenceOf(fault)}`);
    throw fault;
  }

  const shared = (): string[] => {
    const keys: string[] = [];
    for (const key in [] as object) if (!known.has(key)) keys.push(key);
    return keys;
  };

  /** Throws if the plugin has polluted a prototype, and removes the added property. */
  function refusePollution(plugin: string): void {
    const [key] = shared();
    if (key === undefined) return;
    for (const prototype of [Object.prototype, Array.prototype]) Reflect.deleteProperty(prototype, key);
    const isGone = !(key in []);
    if (!isGone) known.add(key);
    const what = `added a property '${key}' to every object (prototype pollution)${isGone ? '; it was removed again' : ''}`;
    say(plugin, `${what}.`);
    throw new Error(`it ${what}.`);
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
      if (!(answer instanceof Promise)) {
        refusePollution(plugin);
        return answer;
      }
      const checked = answer.then(
        (value: unknown) => (refusePollution(plugin), value),
        (fault: unknown) => fail(plugin, what, fault),
      );
      try {
        // Also checked synchronously, because other code runs before the promise settles.
        refusePollution(plugin);
      } catch (fault) {
        checked.catch(() => undefined); // its outcome is handled elsewhere
        throw fault;
      }
      return checked as typeof answer;
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

/** Returns whether the call was aborted, or the error is declared in the plugin's error table. */
function isAnswer(fault: unknown): boolean {
  return fault instanceof Error && (fault.name === 'AbortError' || codeOf(fault)?.includes('_ERR_') === true);
}

/**
 * Returns the forms in which a file appears in a stack trace: as a path or URL, followed by a query or a position. A plugin with an index file is represented
 * by its folder.
 */
function placesOf(place: string): string[] {
  const isFolder = /^index\.m?js$/.test(basename(place));
  const path = isFolder ? dirname(place) : place;
  const ends = isFolder ? ['/', '\\'] : [':', '?'];
  return path.includes('.') || isFolder ? ends.flatMap((end) => [`${path}${end}`, `${pathToFileURL(path).href}${end}`]) : [];
}

export interface ContainedParts {
  readonly kernel: Kernel;
  readonly watch: PluginWatch;
  readonly quarantine: Pick<Quarantine, 'heard' | 'record'>;
  readonly marker: Pick<RunMarker, 'endLoad' | 'end'>;
}

/**
 * Handles uncaught errors of this process until the returned function is called. An exception in the product's own code still ends the process, because its
 * state is then unknown.
 */
export function containFaults({ kernel, watch, quarantine, marker }: ContainedParts): () => void {
  const culpritOf = (fault: unknown): PluginReport | undefined => watch.culpritOf(fault, kernel.control.report().plugins);

  function blame(culprit: PluginReport, what: string): void {
    quarantine.heard(culprit.name, 'error', what);
    kernel.blame(culprit.name, what);
    if (isOutside(culprit)) quarantine.record(culprit.name, what);
  }

  function onThrow(fault: unknown): void {
    const culprit = culpritOf(fault);
    if (culprit && isOutside(culprit))
      return blame(culprit, `threw outside of any call (a timer, a callback, an 'error' event without a listener): ${sentenceOf(fault)}`);
    process.stderr.write(`${faultLines(fault)}\n`);
    process.exit(1);
  }

  function onRejection(fault: unknown): void {
    const culprit = culpritOf(fault);
    if (culprit) return blame(culprit, `left a rejected promise unhandled: ${sentenceOf(fault)}`);
    process.stderr.write(`error: unhandled promise rejection: ${faultLines(fault)}\n`);
  }

  /** Handles code that ends the process. */
  function onEnd(by: string): void {
    const culprit = culpritOf(new Error('ended here'));
    if (culprit && isOutside(culprit)) {
      blame(culprit, `ended the whole program with ${by}.`);
      marker.end();
    }
    // A file that is still being read has no row yet; the marker file names it.
    if (culprit || watch.working() === undefined) marker.endLoad();
  }

  const onExit = (): void => onEnd('process.exit()');
  const undoEnds = interceptEnds(onEnd);
  process.on('uncaughtException', onThrow).on('unhandledRejection', onRejection).on('exit', onExit);
  return () => {
    undoEnds();
    process.removeListener('uncaughtException', onThrow).removeListener('unhandledRejection', onRejection).removeListener('exit', onExit);
  };
}

function sentenceOf(fault: unknown): string {
  const text = messageOf(fault);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const ends = /^(?:SIG(?:TERM|KILL|INT|HUP|QUIT|ABRT|SEGV|BUS|ILL|FPE|TRAP)|[1-9]\d*)$/;

/** Wraps the functions that end the process without a Node event. Returns a function that restores them. */
function interceptEnds(onEnd: (by: string) => void): () => void {
  const own = process as NodeJS.Process & { reallyExit: (code?: number) => never };
  const { abort, kill, reallyExit } = own;
  let isEnding = false;
  // `process.exit` also calls `reallyExit`.
  const begin = (): void => void (isEnding = true);
  process.on('exit', begin);
  own.abort = () => {
    onEnd('process.abort()');
    return abort.call(process);
  };
  own.reallyExit = (code) => {
    if (!isEnding) onEnd('process.reallyExit()');
    return reallyExit.call(process, code);
  };
  own.kill = (pid, signal = 'SIGTERM') => {
    if (pid === process.pid && ends.test(String(signal))) onEnd(`a signal (${String(signal)})`);
    return kill.call(process, pid, signal);
  };
  return () => {
    process.removeListener('exit', begin);
    Object.assign(own, { abort, kill, reallyExit });
  };
}
