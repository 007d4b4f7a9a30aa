// Tracks the rounds of a turn in which all calls failed, and the calls in these and later rounds.
import type { Emitter } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { Turn } from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/policy';

export interface TriedCall {
  readonly callId: string;
  readonly tool: string;
  /** Arguments as truncated JSON. */
  readonly args: string;
  /** Output that the model read, truncated; empty for a successful call. */
  readonly error: string;
}

export interface TurnHistory {
  /** Calls of the rounds in which every call failed, oldest first. */
  readonly failed: readonly TriedCall[];
  /** Calls that succeeded after the first such round. */
  readonly worked: readonly TriedCall[];
}

export interface RoundTracker {
  /** Returns the names of the tools if all calls of the previous round failed; `undefined` otherwise, or if they have already been reported. */
  failedBefore(turn: Turn): readonly string[] | undefined;
  /** Stops tracking a turn and returns its history. */
  take(turnId: string): TurnHistory | undefined;
}

interface RoundCall extends TriedCall {
  readonly ok: boolean;
  readonly isRejected: boolean;
  readonly signature: string;
}

interface Watch {
  calls: RoundCall[];
  readonly argsTexts: Map<string, string>;
  readonly rejected: Set<string>;
  readonly seen: Set<string>;
  readonly failed: TriedCall[];
  readonly worked: TriedCall[];
  correction?: { readonly round: number; readonly tools: readonly string[] };
}

/** Maximum length of arguments in UTF-16 code units. */
const maxArgs = 400;
const maxError = 400;
const maxCalls = 8;

/** Tracks rounds with a few maps per turn, and does no work per token. */
export function trackRounds(emitter: Emitter): RoundTracker {
  const turns = new Map<string, Watch>();

  emitter.tap('round.before', ({ turnId }) => {
    const watch = turns.get(turnId) ?? { calls: [], argsTexts: new Map(), rejected: new Set(), seen: new Set(), failed: [], worked: [] };
    watch.calls = [];
    watch.argsTexts.clear();
    turns.set(turnId, watch);
  });
  emitter.on('tool_start', ({ turnId, callId, argsText }) => {
    if (argsText !== undefined) turns.get(turnId)?.argsTexts.set(callId, argsText);
  });
  emitter.on('approval_decision', ({ turnId, callId, decision }) => {
    if (decision === 'reject') turns.get(turnId)?.rejected.add(callId);
  });
  emitter.on('tool_result', ({ turnId, callId, name, ok, output }) => {
    const watch = turns.get(turnId);
    if (!watch) return;
    const args = watch.argsTexts.get(callId) ?? '';
    const signature = sha256(`${name}\n${args}`);
    const call = { callId, tool: name, args: textStart(args, maxArgs), error: ok ? '' : textStart(output, maxError) };
    watch.calls.push({ ...call, ok, isRejected: watch.rejected.has(callId), signature });
  });
  emitter.tap('round.after', ({ turnId, round }) => {
    const watch = turns.get(turnId);
    if (watch) closeRound(watch, round);
  });

  return {
    failedBefore({ turnId, round }) {
      const correction = turns.get(turnId)?.correction;
      return correction?.round === round ? correction.tools : undefined;
    },
    take(turnId) {
      const watch = turns.get(turnId);
      turns.delete(turnId);
      return watch && watch.failed.length > 0 ? { failed: watch.failed, worked: watch.worked } : undefined;
    },
  };
}

function closeRound(watch: Watch, round: number): void {
  const { calls, failed, seen, worked } = watch;
  if (calls.length === 0) return;
  if (calls.some((call) => call.ok)) {
    if (failed.length > 0) worked.push(...calls.filter((call) => call.ok).map(tried));
    worked.splice(maxCalls);
    return;
  }
  // A call that the user denied did not fail, and the policy already stops repetitions of the same call.
  const news = calls.filter((call) => !call.isRejected && !seen.has(call.signature));
  for (const call of news) seen.add(call.signature);
  if (news.length === 0) return;
  failed.push(...news.map(tried));
  failed.splice(maxCalls);
  watch.correction = { round: round + 1, tools: [...new Set(news.map((call) => call.tool))] };
}

function tried({ callId, tool, args, error }: RoundCall): TriedCall {
  return { callId, tool, args, error };
}
