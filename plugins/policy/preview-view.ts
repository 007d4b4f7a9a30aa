// Selects the preview that an approval displays, and the preview to which a decision refers.
import type { Registry } from 'agent-harness/kernel';
import { untilAborted, withLimit } from '#lib/async';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Decision, PendingApproval, Rehearsal, ShownRehearsal } from './contract.ts';
import type { manifest } from './manifest.ts';

/**
 * Time in milliseconds that an approval waits for its preview before it is displayed. Most previews finish by then; for slower ones, the approval shows that
 * the preview is running.
 */
const patienceMs = 500;

/** Returns the preview for the first display of the approval; `undefined` if the turn has ended in the meantime. */
export async function initialPreview({ turn }: Pick<ToolCall, 'turn'>, { shown }: Rehearsal): Promise<ShownRehearsal | undefined> {
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
 * Returns the preview to apply: the named preview, or none for `none`. Without a name, returns the preview that is ready, because running the call again could
 * have other effects; if no preview succeeded, the call runs. Throws `INVALID_REQUEST` if another preview is now displayed; the approval then stays open.
 */
export function seenOf(
  registry: Registry<typeof manifest>,
  { decision, rehearsal }: Decision,
  { approval }: { readonly approval: PendingApproval },
): { readonly rehearsal?: string } {
  if (decision !== 'approve') return {};
  const seen = rehearsal ?? approval.rehearsal?.id ?? 'none';
  if (seen === 'none') return {};
  if (seen !== approval.rehearsal?.id)
    throw registry.error('INVALID_REQUEST', { why: `the approval no longer displays the preview '${seen}'. Review it again.` });
  return approval.rehearsal.ok === false ? {} : { rehearsal: seen };
}
