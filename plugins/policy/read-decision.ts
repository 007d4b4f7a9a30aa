// Parses the user's decision about a tool call, and checks edited arguments in the same way as the model's arguments.
import type { Registry } from 'agent-harness/kernel';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Principal } from 'agent-harness/plugins/http';
import type { Decision, DecidedBy } from './contract.ts';
import type { manifest } from './manifest.ts';

/** The decision about a call. */
export interface Outcome {
  readonly decision: Decision['decision'];
  readonly by: DecidedBy;
  readonly principal?: Principal;
  /** The arguments that the user edited. */
  readonly args?: Record<string, unknown>;
  readonly reason?: string;
  /** Id of the preview to apply instead of running the call. */
  readonly rehearsal?: string;
  /** Source of the rule that decided, for display. */
  readonly source?: string;
}

/** Returns the outcome of a decision. Throws `INVALID_REQUEST` for an invalid decision; the approval then stays open. */
export function readDecision(registry: Registry<typeof manifest>, call: ToolCall, { decision, args, reason, unattended, principal }: Decision): Outcome {
  const said = { ...(principal ? { principal } : {}), ...(reason === undefined || reason.trim() === '' ? {} : { reason: reason.trim() }) };
  if (decision === 'reject' && unattended) return { decision, by: 'unattended', ...said };
  if (decision !== 'edit') return { decision, by: 'user', ...said };
  if (args === undefined) throw registry.error('INVALID_REQUEST', { why: 'an edit needs the edited arguments in args.' });
  const checked = registry.services.tools.checkArgs(call.tool.name, args);
  if (!checked.ok) throw registry.error('INVALID_REQUEST', { why: checked.error, ...(checked.hint === undefined ? {} : { hint: checked.hint }) });
  return { decision, by: 'user', args: checked.args, ...said };
}
