// How a sandboxed command begins and ends: what it left running is told, and a signal is told apart from an exit code.
import { constants } from 'node:os';

/**
 * The end of the command is the end of the sandbox, which kills all that is left in there. This waits for what is just
 * ending, and says on descriptor 3 when something goes on, besides itself and the sandbox's first process.
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

/** Goes before the command. */
export const reporting: readonly string[] = ['/bin/sh', '-c', script, 'sh'];

/** Signals that end programs; smaller codes above 128 are in use for other things. */
const deadly = (['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGINT', 'SIGKILL', 'SIGPIPE', 'SIGSEGV', 'SIGTERM'] as const).map(
  (name) => [128 + constants.signals[name], name] as const,
);

/** The sandbox answers 128 + the signal, as shells do. */
export function signalOf(exitCode: number | null, signal: NodeJS.Signals | null): { exitCode: number | null; signal: NodeJS.Signals | null } {
  const found = deadly.find(([code]) => code === exitCode);
  return found ? { exitCode: null, signal: found[1] } : { exitCode, signal };
}
