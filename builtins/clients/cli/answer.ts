// Reads the user's answer to a question in the terminal.
import type { CliOutput } from 'agent-harness/plugins/commands';

/** Returns the next line; an empty string if there is no input. */
export async function readAnswer(output: CliOutput): Promise<string> {
  const next = await output.lines()[Symbol.asyncIterator]().next();
  return next.done ? '' : next.value;
}
