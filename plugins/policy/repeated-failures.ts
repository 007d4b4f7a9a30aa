// Stops a model that repeats a failing call: refuses the same call after three failures in a turn, and ends a turn that continues with it.
import { stableJson } from '#lib/values';
import type { Denial, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

export const failureLimit = 3;
/** Number of successive rounds with nothing but blocked calls after which the turn ends: each further round would cost a model call without an effect. */
export const blockedRoundLimit = 5;

const note = 'policy';

/** Counts failures by tool and arguments. A successful call that changes something resets the counts. */
export function countFailure(outcome: ToolOutcome, call: ToolCall): undefined {
  const state = stateOf(call.turn);
  if (call.hasRun) state.blockedRounds.clear();
  const { failures } = state;
  const key = keyOf(call);
  if (!outcome.ok) failures.set(key, (failures.get(key) ?? 0) + 1);
  else if (call.tool.effects?.includes('write')) failures.clear();
  else failures.delete(key);
}

/** Returns the denial of a call that has failed too often; otherwise, returns `undefined`. */
export function refuseRepeated(call: ToolCall): Denial | undefined {
  const { failures, blockedRounds } = stateOf(call.turn);
  if ((failures.get(keyOf(call)) ?? 0) < failureLimit) return undefined;
  blockedRounds.add(call.turn.round);
  return {
    deny: `This call of ${call.tool.name} failed ${failureLimit} times with the same arguments and is blocked for this turn.`,
    hint: `Read the errors above and change the approach: other arguments for ${call.tool.name}, another tool, or ask the user.`,
  };
}

/** Returns whether the last rounds of the turn had nothing but blocked calls. */
export function isStuck(turn: Turn): boolean {
  return stateOf(turn).blockedRounds.size >= blockedRoundLimit;
}

interface State {
  readonly failures: Map<string, number>;
  /** Rounds with a blocked call since the last call that ran. */
  readonly blockedRounds: Set<number>;
}

function stateOf(turn: Turn): State {
  const known = turn.notes.get(note) as State | undefined;
  if (known) return known;
  const state: State = { failures: new Map(), blockedRounds: new Set() };
  turn.notes.set(note, state);
  return state;
}

function keyOf({ tool, args }: ToolCall): string {
  return stableJson([tool.name, args]);
}
