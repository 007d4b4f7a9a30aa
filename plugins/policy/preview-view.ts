// Selects the preview shown in an approval, and the preview to which a decision refers.
import type { Registry } from 'agent-harness/kernel';
import { untilAborted, withLimit } from '#lib/async';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Decision, PendingApproval, Rehearsal, ShownRehearsal } from './contract.ts';
import type { manifest } from './manifest.ts';

/** Time in milliseconds that the first display waits: most previews finish by then; for slower ones, the approval shows that the preview is running. */
const patienceMs = 500;

/** Returns the preview for the first display of the approval; `undefined` if the turn ended meanwhile. */
export async function firstLook({ turn }: Pick<ToolCall, 'turn'>, { shown }: Rehearsal): Promise<ShownRehearsal | undefined> {
  const putBack = turn.waiting('tool');
  try {
    return await untilAborted(
      withLimit<ShownRehearsal, ShownRehearsal>(shown, patienceMs, () => ({ state: 'running' })),
      turn.signal,
    );
  } catch {
    return undefined; // the turn was aborted
  } finally {
    putBack();
  }
}

/**
 * Returns the preview to apply: the named one, or, for `none`, no preview, so that the call runs. Without a name, it is the ready preview, because a second run
 * could
 * have other effects; a failed preview is not applied: the call runs, once. Throws `INVALID_REQUEST` if another preview is shown by now; the approval stays
 * open then.
 */
export function seenOf(
  registry: Registry<typeof manifest>,
  { decision, rehearsal }: Decision,
  { approval }: { readonly approval: PendingApproval },
): { readonly rehearsal?: string } {
  if (decision !== 'approve') return {};
  const seen = rehearsal ?? approval.rehearsal?.id ?? 'none';
  if (seen === 'none') return {};
  if (seen !== approval.rehearsal?.id) throw registry.error('INVALID_REQUEST', { why: `the question does not show what '${seen}' named. Look at it again.` });
  return approval.rehearsal.ok === false ? {} : { rehearsal: seen };
}
