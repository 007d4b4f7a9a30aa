// Watches the loop of a program in which code of plugins runs, by a thread of its own; without such code there is no thread, and nothing costs anything.
import type inspectorModule from 'node:inspector';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import type { Kernel, PluginReport } from 'agent-harness/kernel';
import { startThread } from 'agent-harness/lib/worker';
import { ownProcess, readLeft } from '../left-behind.ts';
import { isOutside, partsOf, type PluginWatch } from '../plugin-watch.ts';
import type { DiedIn } from '../start-marker.ts';
import type { LoopGrowth, LoopNames, LoopStall, LoopThread } from './loop-thread.ts';

const tickMs = 200;
const longestMs = 1_000;

export interface LoopWatchParts {
  readonly home: string;
  readonly kernel: Kernel;
  readonly watch: PluginWatch;
  /** Of what the plugin holds, as it was when it was loaded. */
  readonly contentOf: (name: string) => string | undefined;
}

/** It runs in the server's own process. */
export const isHere = (plugin: PluginReport): boolean => isOutside(plugin) && plugin.state === 'active' && plugin.isolation === undefined;

const noteOf = (home: string): string => join(home, 'plugin_at_fault.json');

/** Whose code the last run of the program stood still in, or grew in, when it ended. */
export function readLoopNote(home: string): DiedIn | undefined {
  const { plugin, content, what, seconds, fromMb, toMb } = readLeft(noteOf(home), ownProcess()) ?? {};
  if (typeof plugin !== 'string') return undefined;
  const isMemory = what === 'memory' && typeof fromMb === 'number' && typeof toMb === 'number';
  const reason = isMemory
    ? `ran while the program's memory grew from ${fromMb} to ${toMb} MB, before the program was killed or broke down.`
    : `had kept the program from doing anything else for ${typeof seconds === 'number' ? seconds : 'some'} s when it was killed or broke down.`;
  return { plugin, ...(typeof content === 'string' ? { content } : {}), reason };
}

/** From the first plugin on that runs in this process. The answer ends it. */
export function watchLoop({ home, kernel, watch, contentOf }: LoopWatchParts): () => Promise<void> {
  let end: (() => Promise<void>) | undefined;
  let tell: ((plugins: readonly PluginReport[]) => void) | undefined;
  let isOver = false;

  function look(): void {
    const plugins = kernel.control.report().plugins.filter(isHere);
    if (plugins.length === 0 || isOver) return;
    if (!tell) start();
    tell?.(plugins);
  }

  function start(): void {
    const { time } = watch;
    const own: LoopThread = {
      ...{ words: time.words, notePath: noteOf(home), ...ownProcess(), tickMs, longestMs },
      heapLimit: getHeapStatistics().heap_size_limit,
      mayPause: mayPause(),
    };
    const thread = startThread('loop', { data: own, isPlain: true });
    thread.unref();
    thread.on('message', (said: LoopStall | LoopGrowth) => {
      if ('grown' in said) watch.grew(said.grown, said.fromMb, said.toMb);
      else watch.stoodStill(said.plugin, said.ms, performance.now() - said.ms - tickMs, said.where);
    });
    // Without it the server goes on; it is no worse than before.
    thread.on('error', (fault) => process.stderr.write(`nobody watches the loop any more: ${fault.message}\n`));
    const unfollow = watch.followOn();
    const beat = setInterval(() => time.beat(), tickMs).unref();
    tell = (plugins) => {
      const placeOf = (name: string): number => Math.max(0, time.names.indexOf(name));
      const names: LoopNames = {
        plugins: plugins.map((plugin) => {
          const content = contentOf(plugin.name);
          return { place: placeOf(plugin.name), name: plugin.name, parts: partsOf(plugin), ...(content === undefined ? {} : { content }) };
        }),
      };
      thread.postMessage(names);
    };
    end = async () => {
      clearInterval(beat);
      unfollow();
      await thread.terminate();
      readLeft(noteOf(home), ownProcess());
    };
  }

  // One that registers is there once the load that it is part of is over.
  let isWaiting = false;
  watch.onRegister(() => {
    if (isWaiting) return;
    isWaiting = true;
    void kernel.control.idle().then(() => {
      isWaiting = false;
      look();
    });
  });
  look();
  return async () => {
    isOver = true;
    await end?.();
  };
}

/** Node can be built without the inspector. */
function mayPause(): boolean {
  const inspector = process.getBuiltinModule('node:inspector') as typeof inspectorModule | undefined;
  return inspector !== undefined && inspector.url() === undefined;
}
