// Lines of standard input, one at a time, until they end or nobody wants them any more.
import type { CliOutput } from 'agent-harness/plugins/commands';

/** Starts reading at once; lines wait for each other's `onLine`. The answer stops it and lets go of the input. */
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
