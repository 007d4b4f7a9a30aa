// Standard input and output as the commands see them.
import { createInterface } from 'node:readline';
import type { CliOutput } from 'agent-harness/plugins/commands';

export function terminalOutput(): CliOutput {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    lines: readStandardInput,
    isTerminal: process.stdout.isTTY === true,
    isInputTerminal: process.stdin.isTTY === true,
  };
}

/** Leaving the loop closes the reader, which readline's own iterator does not do; an open one would keep the process alive. */
function readStandardInput(): AsyncIterable<string> {
  const reader = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const lines = reader[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => lines.next(),
      return: async () => {
        reader.close();
        return { done: true, value: undefined };
      },
    }),
  };
}
