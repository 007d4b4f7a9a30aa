// Attributes uncaught exceptions, rejections and process ends to third-party plugins, and records them for the next start.
import type { Kernel, PluginReport } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import { faultLines } from '../log-lines.ts';
import { isOutside, type PluginWatch } from './plugin-watch.ts';
import type { Quarantine } from './quarantine.ts';
import type { RunMarker } from './run-marker.ts';

export interface ContainedParts {
  readonly kernel: Kernel;
  readonly watch: PluginWatch;
  readonly quarantine: Pick<Quarantine, 'heard' | 'record'>;
  readonly marker: Pick<RunMarker, 'endLoad' | 'end'>;
}

/** Listens to this process until the returned function is called. An exception of the product's own code still ends the process: its state is unknown then. */
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
      return blame(culprit, `threw outside of any call (a timer, a callback, an 'error' event that nobody heard): ${why(fault)}`);
    process.stderr.write(`${faultLines(fault)}\n`);
    process.exit(1);
  }

  function onRejection(fault: unknown): void {
    const culprit = culpritOf(fault);
    if (culprit) return blame(culprit, `left a promise rejected that nobody waits for: ${why(fault)}`);
    process.stderr.write(`error: a promise was rejected that nobody waits for: ${faultLines(fault)}\n`);
  }

  /** The code that runs ends the process. */
  function onEnd(by: string): void {
    const culprit = culpritOf(new Error('ended here'));
    if (culprit && isOutside(culprit)) {
      blame(culprit, `ended the whole program with ${by}.`);
      marker.end();
    }
    // A file that is still being read has no row yet: the marker names it.
    if (culprit || watch.working() === undefined) marker.endLoad();
  }

  const onExit = (): void => onEnd('process.exit()');
  const undoEnds = hearEnds(onEnd);
  process.on('uncaughtException', onThrow).on('unhandledRejection', onRejection).on('exit', onExit);
  return () => {
    undoEnds();
    process.removeListener('uncaughtException', onThrow).removeListener('unhandledRejection', onRejection).removeListener('exit', onExit);
  };
}

function why(fault: unknown): string {
  const text = messageOf(fault);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const ends = /^(?:SIG(?:TERM|KILL|INT|HUP|QUIT|ABRT|SEGV|BUS|ILL|FPE|TRAP)|[1-9]\d*)$/;

/** Wraps the functions that end the process without an event of Node. Returns their restore. */
function hearEnds(hear: (by: string) => void): () => void {
  const own = process as NodeJS.Process & { reallyExit: (code?: number) => never };
  const { abort, kill, reallyExit } = own;
  let isEnding = false;
  // `process.exit` calls `reallyExit`, too.
  const begin = (): void => void (isEnding = true);
  process.on('exit', begin);
  own.abort = () => {
    hear('process.abort()');
    return abort.call(process);
  };
  own.reallyExit = (code) => {
    if (!isEnding) hear('process.reallyExit()');
    return reallyExit.call(process, code);
  };
  own.kill = (pid, signal) => {
    if (pid === process.pid && ends.test(String(signal ?? 'SIGTERM'))) hear(`a signal (${String(signal ?? 'SIGTERM')})`);
    return kill.call(process, pid, signal);
  };
  return () => {
    process.removeListener('exit', begin);
    Object.assign(own, { abort, kill, reallyExit });
  };
}
