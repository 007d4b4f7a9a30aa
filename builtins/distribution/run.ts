// Runs one command line with a distribution. The package `agent-harness` also exports this module.
import { codeOf, messageOf } from 'agent-harness/kernel';
import { makeSafe } from '#lib/terminal';
import { flushCompiledCode, keepCompiledCode } from './compile-cache.ts';
import type { Distribution, ProgramEntry } from './distribution.ts';
import { openDistribution, type OpenedDistribution } from './open.ts';
import { containFaults } from './plugin-host/plugin-watch.ts';
import { boundYoungGeneration } from './young-generation.ts';

export { controlPlane } from './control-plane.ts';
export { openDistribution } from './open.ts';
export { stockBuiltins, stockPlatform } from './stock.ts';
export type { Distribution, ProgramEntry } from './distribution.ts';
export type { OpenedDistribution, OpenOptions } from './open.ts';

/** Loads the plugins, runs one command line, and unloads the plugins. Resolves with the exit code. */
export async function runDistribution(distribution: Distribution, argv: readonly string[] = process.argv.slice(2)): Promise<number> {
  const { programs = {} } = distribution;
  const [first = ''] = argv;
  if (Object.hasOwn(programs, first)) return runDistribution(await (programs[first] as ProgramEntry).load(), argv.slice(1));
  keepCompiledCode(distribution);
  const unbound = boundYoungGeneration();
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  let opened: OpenedDistribution | undefined;
  let letGo: (() => void) | undefined;
  let onListening = (): void => undefined;
  const listening = new Promise<void>((resolve) => (onListening = resolve));
  // The program may never listen, because the server may be external or already running.
  setTimeout(onListening, mostUntilListening).unref();
  try {
    opened = await openDistribution(distribution, { isSafe: isSafe(argv), ...(startsServer(argv) ? { userPluginsAfter: listening } : {}) });
    const { kernel } = opened;
    kernel.emitter.on('server_listening', onListening);
    kernel.emitter.tap('server.idle', settleDown, { order: 'post' });
    opened.marker.watch(kernel, opened.ready);
    letGo = containFaults(opened);
    const { terminalOutput } = await import('./terminal-output.ts');
    return await opened.kernel.resolve('commands').runCli(
      argv,
      terminalOutput(() => stop.abort()),
      stop.signal,
    );
  } catch (fault) {
    const code = codeOf(fault);
    process.stderr.write(`${distribution.name}: ${makeSafe(messageOf(fault))}${code === undefined ? '' : ` (${code})`}\n`);
    return 1;
  } finally {
    onListening();
    await opened?.kernel.close();
    opened?.marker.end();
    letGo?.();
    unbound();
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal);
  }
}

/** Maximum time in milliseconds until the server listens. */
const mostUntilListening = 3_000;

function startsServer([command = 'open']: readonly string[]): boolean {
  return ['open', 'serve', 'dev'].includes(command) || command.startsWith('--');
}

/** Returns whether the command line contains `--safe`. Plugins are loaded before the command parses its options, so this must be known earlier. */
function isSafe(argv: readonly string[]): boolean {
  return startsServer(argv) && argv.includes('--safe');
}

/** Runs after the start and the warm-up. */
async function settleDown(): Promise<void> {
  flushCompiledCode();
  await (await import('./release-memory.ts')).releaseMemory();
}
