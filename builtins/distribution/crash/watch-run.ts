// Writes down, for as long as the program works, which plugins run in it, so that the next start knows whom to look at if this run breaks down.
import type { Kernel, PluginReport } from 'agent-harness/kernel';
import { isOutside } from '../plugin-watch.ts';
import type { PutAside } from '../put-aside.ts';
import type { CrashWatch } from './crash-watch.ts';
import type { QuietWatch } from './quiet-watch.ts';

export interface RunParts {
  readonly kernel: Kernel;
  readonly ready: Promise<unknown>;
  readonly crashes: CrashWatch;
  readonly aside: Pick<PutAside, 'contentOf' | 'load'>;
  readonly quiet: QuietWatch;
}

/** From the moment on in which the app works. The answer ends it: in order, or with an end whose cause is known. */
export function watchRun({ kernel, ready, crashes, aside, quiet }: RunParts): () => void {
  let isOver = false;
  let noted: string | undefined;
  let unfollow: (() => void) | undefined;

  /** In a process of its own nothing breaks this one; in a thread it can. */
  function note(): void {
    if (isOver) return;
    const outside = kernel.control.report().plugins.filter((plugin) => isOutside(plugin) && plugin.state === 'active' && plugin.isolation !== 'child');
    const likely = (plugin: PluginReport): number => (plugin.isolation === undefined ? 0 : 1);
    const plugins = Object.fromEntries(
      outside.sort((left, right) => likely(left) - likely(right)).map(({ name }): [string, string] => [name, aside.contentOf(name) ?? '']),
    );
    const text = JSON.stringify(plugins);
    if (text === noted) return;
    noted = text;
    crashes.begin(plugins, (name) => aside.load(name));
    unfollow?.();
    unfollow = quiet.follow(crashes.setQuiet);
  }

  kernel.emitter.tap('app.start', () => {
    void ready.then(() => {
      note();
      kernel.emitter.on('plugin_changed', () => void kernel.control.idle().then(note));
    });
  });
  return () => {
    isOver = true;
    unfollow?.();
    crashes.end();
  };
}
