// Stops a model that repeats a failing call: refuses the same call after three failures in a turn.
import { stableJson } from '#lib/values';
import type { Denial, ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

export const failureLimit = 3;

const note = 'policy';

/** Counts failures by tool and arguments. A successful call that changes something resets the counts. */
export function countFailure(outcome: ToolOutcome, call: ToolCall): undefined {
  const failures = failuresOf(call);
  const key = keyOf(call);
  if (!outcome.ok) failures.set(key, (failures.get(key) ?? 0) + 1);
  else if (call.tool.effects?.includes('write')) failures.clear();
  else failures.delete(key);
}

/** Returns the denial of a call that has failed too often; otherwise, returns `undefined`. */
export function refuseRepeated(call: ToolCall): Denial | undefined {
  if ((failuresOf(call).get(keyOf(call)) ?? 0) < failureLimit) return undefined;
  return {
    deny: `This call of ${call.tool.name} failed ${failureLimit} times with the same arguments and is blocked for this turn.`,
    hint: `Read the errors above and change the approach: other arguments for ${call.tool.name}, another tool, or ask the user.`,
  };
}

function failuresOf({ turn }: ToolCall): Map<string, number> {
  const known = turn.notes.get(note) as Map<string, number> | undefined;
  if (known) return known;
  const failures = new Map<string, number>();
  turn.notes.set(note, failures);
  return failures;
}

function keyOf({ tool, args }: ToolCall): string {
  return stableJson([tool.name, args]);
}
