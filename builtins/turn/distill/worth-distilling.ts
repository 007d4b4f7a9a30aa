// Selects the outputs to summarize. Pure.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

/** In UTF-16 units. */
export const distillFrom = 16_000;
/** Their exact text is needed: for editing, or because the summary was insufficient. */
const exactTools = ['read_file', 'read_artifact'];

export function isWorthIt(outcome: ToolOutcome, { tool }: ToolCall): boolean {
  return textOf(outcome).length >= distillFrom && !exactTools.includes(tool.name);
}

/** Returns the text that the model would read. */
export function textOf(outcome: ToolOutcome): string {
  return outcome.ok ? outcome.output : outcome.error;
}
