// Reads a person's decision; edited arguments must fit the tool like those of the model.
import type { Registry } from 'agent-harness/kernel';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Outcome } from './approval-desk.ts';
import type { Decision } from './contract.ts';
import type { manifest } from './index.ts';

/** Throws `INVALID_REQUEST`; the approval stays open then. */
export function readDecision(registry: Registry<typeof manifest>, call: ToolCall, { decision, args, reason, principal }: Decision): Outcome {
  const said = { ...(principal ? { principal } : {}), ...(reason === undefined || reason.trim() === '' ? {} : { reason: reason.trim() }) };
  if (decision !== 'edit') return { decision, by: 'user', ...said };
  if (args === undefined) throw registry.error('INVALID_REQUEST', { why: 'an edit needs the edited arguments in args.' });
  const checked = registry.services.tools.checkArgs(call.tool.name, args);
  if (!checked.ok) throw registry.error('INVALID_REQUEST', { why: checked.error, ...(checked.hint === undefined ? {} : { hint: checked.hint }) });
  return { decision, by: 'user', args: checked.args, ...said };
}
