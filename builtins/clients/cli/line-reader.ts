// Reads lines from standard input one after the other until the input ends or reading is stopped.
import type { CliOutput } from 'agent-harness/plugins/commands';

/** Starts reading immediately; each line waits until the previous `onLine` has finished. Returns a function that stops reading and releases the input. */
export function readLines(
  output: CliOutput,
  onLine: (line: string) => Promise<void>,
  onEnd: () => Promise<void>,
): { readonly done: Promise<void>; stop(): void } {
  const lines = output.lines()[Symbol.asyncIterator]();
  let isStopped = false;

  async function read(): Promise<void> {
    for (;;) {
      const next = await lines.next();
      if (isStopped) return;
      if (next.done) return onEnd();
      await onLine(next.value);
    }
  }
  return {
    done: read(),
    stop() {
      isStopped = true;
      void lines.return?.();
    },
  };
}
