// Standard input and output as the commands see them.
import { createInterface } from 'node:readline';
import type { CliOutput } from 'agent-harness/plugins/commands';

export function terminalOutput(): CliOutput {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    lines: () => createInterface({ input: process.stdin, crlfDelay: Infinity }),
    isTerminal: process.stdout.isTTY === true,
  };
}
