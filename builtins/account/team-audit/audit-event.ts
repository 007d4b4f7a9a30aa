// Builds a turn's audit event from its metrics, without any text. Pure.
import type { Turn, TurnEnd } from 'agent-harness/plugins/agent';

export interface AuditEvent {
  /** Id derived from the turn, so that the control plane stores a repeated event once. */
  readonly id: string;
  readonly kind: 'turn_end';
  readonly at: string;
  readonly chatId: string;
  readonly turnId: string;
  readonly metrics: Readonly<Record<string, unknown>>;
}

export function auditEventOf(turn: Pick<Turn, 'model' | 'origin' | 'principal'>, end: TurnEnd, now: Date): AuditEvent {
  const { chatId, turnId, reason, durationMs, rounds, tools, usage, error } = end;
  const { input, output, cached, cost } = usage;
  return {
    id: `turn_end:${turnId}`,
    kind: 'turn_end',
    at: now.toISOString(),
    chatId,
    turnId,
    metrics: {
      ...{ reason, durationMs, rounds, tools, inputTokens: input, outputTokens: output, cachedTokens: cached },
      ...(cost === undefined ? {} : { costUsd: cost }),
      ...(turn.model === undefined ? {} : { model: turn.model }),
      ...(turn.origin ? { plugin: turn.origin.plugin } : {}),
      ...(turn.principal ? { by: turn.principal.kind } : {}),
      ...(error ? { error: error.code } : {}),
    },
  };
}
