// What a question shows of a rehearsal, and which of that an answer is about.
import type { Registry } from 'agent-harness/kernel';
import { untilAborted, withLimit } from 'agent-harness/lib/async';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { Decision, PendingApproval, Rehearsal, ShownRehearsal } from './contract.ts';
import type { manifest } from './manifest.ts';

/** Most calls are over by then, so that their question is put once; with others it says that it is still going on. Milliseconds. */
const patienceMs = 500;

/** What the question shows when it is put; `undefined` where the turn ended meanwhile. */
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
 * What an approval applies: the preview that it names, or a run for `none`. Without either it is the preview that is ready, since a second run could
 * do something else; a preview that failed is not applied: the call runs, once. Throws `INVALID_REQUEST` where another preview is shown by now; the question stays open then.
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
