// Implements the gate, the only path from a requested tool call to its execution: features may change or refuse the call, then the final call is decided.
import type { Emitter } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type { Denial, Gate, ToolCall } from 'agent-harness/plugins/agent';
import type { Grant, GrantedCall, RunTool, ToolGate, Tools } from 'agent-harness/plugins/tools';
import type { Guard } from './guard.ts';

/** Time in milliseconds that taps may still run after the turn is aborted. */
const graceMs = 100;

export interface GateParts {
  readonly emitter: Pick<Emitter, 'call'>;
  /** Services; read at each use, because they may change. */
  readonly services: { readonly tools: Pick<Tools, 'checkArgs'> };
  readonly guard: Guard;
}

/** Creates the gate, and `grants`, with which the tools verify grants. Users of the service `gate` can neither change nor use `grants`. */
export function createGate({ emitter, services, guard }: GateParts): { readonly gate: Gate; readonly grants: ToolGate } {
  const unused = new WeakSet<object>();

  async function pass(asked: ToolCall, args: unknown, editedBy: string | undefined): Promise<Grant | Denial> {
    const checked = services.tools.checkArgs(asked.tool.name, args);
    if (!checked.ok) return deny(checked.error, checked.hint);
    const { callId, turn } = asked;
    const call: ToolCall = { callId, turn, tool: checked.tool, args: freeze(checked.args) };
    const refusal: unknown = await emitter.call('tool.before', [call], { signal: turn.signal, graceMs });
    if (refusal !== undefined) return readDenial(refusal);
    const verdict = await guard(call, editedBy !== undefined);
    if (verdict && 'deny' in verdict) return verdict;
    if (turn.signal.aborted) return { deny: 'The turn was aborted before the call ran.' };
    if (verdict && 'rehearsed' in verdict) return grant(call, editedBy, verdict.rehearsed.apply);
    return verdict ? pass(asked, verdict.editedArgs, verdict.by) : grant(call, editedBy);
  }

  function grant({ callId, tool, args, turn }: ToolCall, editedBy: string | undefined, instead?: RunTool): Grant {
    const { chatId, turnId, workspaceRoot } = turn;
    const call: GrantedCall = {
      chatId,
      turnId,
      callId,
      workspaceRoot,
      tool,
      args,
      ...(editedBy === undefined ? {} : { editedBy }),
      ...(instead ? { instead } : {}),
    };
    unused.add(Object.freeze(call));
    return call as Grant;
  }

  async function authorize(call: ToolCall): Promise<Grant | Denial> {
    try {
      const { args } = await emitter.call('tool.prepare', [call], { signal: call.turn.signal, graceMs });
      return await pass(call, args, undefined);
    } catch (fault) {
      return { deny: `The call could not be prepared: ${messageOf(fault)}` };
    }
  }

  return { gate: Object.freeze({ authorize }), grants: { name: 'policy', redeem: (given) => unused.delete(given) } };
}

function deny(error: string, hint: string | undefined): Denial {
  return { deny: error, ...(hint === undefined ? {} : { hint }) };
}

/** Returns a valid denial for any value that a plugin returned: plugins may be plain JavaScript, and no value may approve a call. */
function readDenial(said: unknown): Denial {
  const { deny: why, hint } = Object(said) as Record<string, unknown>;
  return deny(typeof why === 'string' ? why : 'A plugin refused the call without a valid reason.', typeof hint === 'string' ? hint : undefined);
}

/** Deeply freezes a JSON value. */
function freeze<T extends object>(value: T): T {
  for (const child of Object.values(value) as unknown[]) if (typeof child === 'object' && child !== null) freeze(child);
  return Object.freeze(value);
}
