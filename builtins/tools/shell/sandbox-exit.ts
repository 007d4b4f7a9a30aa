// Wraps a sandboxed command: reports leftover processes, and distinguishes signals from exit codes.
import { constants } from 'node:os';

/**
 * Script that wraps a command. When the command ends, the sandbox ends and kills all leftover processes. The script waits briefly for processes that are
 * ending, and reports on descriptor 3 if any remain besides itself and the first process of the sandbox.
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

/** Fatal signals by exit code; programs use other codes above 128 for other purposes. */
const deadly = (['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGINT', 'SIGKILL', 'SIGPIPE', 'SIGSEGV', 'SIGTERM'] as const).map(
  (name) => [128 + constants.signals[name], name] as const,
);

/** Converts an exit code to a signal, because the sandbox returns 128 plus the signal number, as shells do. */
export function signalOf(exitCode: number | null, signal: NodeJS.Signals | null): { exitCode: number | null; signal: NodeJS.Signals | null } {
  const found = deadly.find(([code]) => code === exitCode);
  return found ? { exitCode: null, signal: found[1] } : { exitCode, signal };
}
