// Wraps the start and the end of a sandboxed command: reports leftover processes, and distinguishes signals from exit codes.
import { constants } from 'node:os';

/**
 * Script that wraps a command. The end of the command ends the sandbox, which kills all leftovers; the script waits briefly for ending
 * processes, and reports on descriptor 3 if any remain besides itself and the sandbox's first process.
 */
const script = `trap : TERM
echo begun >&3
"$@" 3>&-
code=$?
for pause in 0.02 0.05 0.1; do
  set -- /proc/[0-9]*
  [ $# -le 2 ] && exit $code
  sleep $pause 3>&-
done
echo left >&3
exit $code`;

/** Prefix of the command line. */
export const reporting: readonly string[] = ['/bin/sh', '-c', script, 'sh'];

/** Fatal signals by exit code; smaller codes above 128 are used for other purposes. */
const deadly = (['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGINT', 'SIGKILL', 'SIGPIPE', 'SIGSEGV', 'SIGTERM'] as const).map(
  (name) => [128 + constants.signals[name], name] as const,
);

/** Converts an exit code to a signal, because the sandbox returns 128 + the signal, as shells do. */
export function signalOf(exitCode: number | null, signal: NodeJS.Signals | null): { exitCode: number | null; signal: NodeJS.Signals | null } {
  const found = deadly.find(([code]) => code === exitCode);
  return found ? { exitCode: null, signal: found[1] } : { exitCode, signal };
}
