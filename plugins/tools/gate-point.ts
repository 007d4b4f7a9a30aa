// Manages the contribution point `tool_gate`: accepts one gate, and lets it verify each grant.
import type { PointHandler } from 'agent-harness/kernel';
import type { Grant, ToolGate } from './contract.ts';

export interface GatePoint {
  readonly point: PointHandler<ToolGate>;
  /** Returns whether the gate created this grant and the grant is unused; `false` without a gate. */
  redeem(grant: Grant): boolean;
}

export function createGatePoint(): GatePoint {
  let current: { readonly gate: ToolGate; readonly owner: string } | undefined;
  return {
    point: {
      validate(gate, owner) {
        if (typeof gate.redeem !== 'function') return 'a gate needs a function redeem.';
        return (
          current &&
          `plugin '${current.owner}' already contributes the gate, and only one is possible; plugin '${owner}' can contribute approval rules instead.`
        );
      },
      added: (gate, owner) => void (current = { gate, owner }),
      removed: () => void (current = undefined),
    },
    redeem: (grant) => current?.gate.redeem(grant) === true,
  };
}
