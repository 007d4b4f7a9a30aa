// Owns the contribution point `tool_gate`: accepts one gate, and redeems each grant by it.
import type { PointHandler } from 'agent-harness/kernel';
import type { Grant, ToolGate } from './contract.ts';

export interface GatePoint {
  readonly point: PointHandler<ToolGate>;
  /** Returns whether the gate created this grant and it is unused; false without a gate. */
  redeem(grant: Grant): boolean;
}

export function createGatePoint(): GatePoint {
  let kept: { readonly gate: ToolGate; readonly owner: string } | undefined;
  return {
    point: {
      validate(gate, owner) {
        if (typeof gate.redeem !== 'function') return 'a gate needs a function redeem.';
        return kept && `plugin '${kept.owner}' decides already which calls run, and there is one gate; plugin '${owner}' can contribute rules to it.`;
      },
      added: (gate, owner) => void (kept = { gate, owner }),
      removed: () => void (kept = undefined),
    },
    redeem: (grant) => kept?.gate.redeem(grant) === true,
  };
}
