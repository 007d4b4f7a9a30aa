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

/** What an approval is about: exactly what was shown, or a run. Throws `INVALID_REQUEST` where something else is shown by now; it stays open then. */
export function seenOf(
  registry: Registry<typeof manifest>,
  { decision, rehearsal }: Decision,
  { approval, first }: { readonly approval: PendingApproval; readonly first: PendingApproval },
): { readonly rehearsal?: string } {
  if (decision !== 'approve') return {};
  const seen = rehearsal ?? first.rehearsal?.id ?? 'none';
  if (seen === 'none') return {};
  if (seen !== approval.rehearsal?.id) throw registry.error('INVALID_REQUEST', { why: `the question does not show what '${seen}' named. Look at it again.` });
  return { rehearsal: seen };
}
