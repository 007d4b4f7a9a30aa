// Writes one line per turn to the evaluation log: calls, outcome, cost.
import type { Emitter } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/turn/critic';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/policy';
import type { LineFile } from 'agent-harness/plugins/storage';

interface Running {
  readonly model: string;
  readonly tools: { readonly name: string; readonly ok: boolean; readonly ms: number }[];
  /** Number of calls that a user or a rule had to decide. */
  approvals: number;
  failures: number;
  /** 1 if the last verdict of the critic found no problem, otherwise 0; omitted if there was no verdict. */
  critic?: number;
}

/** Maximum number of calls that are listed per turn; the scores count all calls. */
const maxTools = 1_000;

export function watchTurns(emitter: Emitter, file: LineFile, isOn: () => boolean): void {
  const running = new Map<string, Running>();

  emitter.on('turn_start', ({ turnId, model }) => {
    if (isOn()) running.set(turnId, { model, tools: [], approvals: 0, failures: 0 });
  });
  emitter.on('tool_result', ({ turnId, name, ok, durationMs }) => {
    const turn = running.get(turnId);
    if (!turn) return;
    if (!ok) turn.failures++;
    if (turn.tools.length < maxTools) turn.tools.push({ name, ok, ms: durationMs });
  });
  emitter.on('approval_decision', ({ turnId }) => {
    const turn = running.get(turnId);
    if (turn) turn.approvals++;
  });
  emitter.on('critic_verdict', ({ turnId, ok }) => {
    const turn = running.get(turnId);
    if (turn) turn.critic = ok ? 1 : 0;
  });
  emitter.on('turn_end', ({ chatId, turnId, reason, durationMs, rounds, usage }) => {
    const turn = running.get(turnId);
    running.delete(turnId);
    if (!turn || !isOn()) return;
    const { model, tools, approvals, critic, failures } = turn;
    const scores = { ...(critic === undefined ? {} : { critic }), failures, approvals };
    file.add({ at: new Date().toISOString(), chatId, turnId, model, reason, durationMs, rounds, tools, usage, scores });
    void file.flush();
  });
}
