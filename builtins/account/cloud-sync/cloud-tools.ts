// Implements the tools of cloud sync and formats their results for the model.
import type { NotesSync, SyncReport, SyncTarget } from 'agent-harness/builtins/account/notes-sync';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';

export function createCloudTools(notesSync: NotesSync, target: SyncTarget): Readonly<Record<string, RunTool>> {
  const run =
    (direction: 'pull' | 'push' | 'both') =>
    async (_: unknown, { chatId, signal }: ToolContext): Promise<ToolOutcome> => {
      const reports: SyncReport[] = [];
      for (const place of await notesSync.placesOf(target, chatId)) {
        reports.push(await notesSync.run(target, place, { direction, isAsked: direction !== 'pull', signal }));
      }
      const failed = reports.find(({ problem }) => problem !== undefined);
      const output = reports.map(reportLine).join('\n');
      return failed ? { ok: false, error: output, hint: 'Nothing is lost: the next sync sends what is still unsent.' } : { ok: true, output };
    };
  return { cloud_memory_pull: run('pull'), cloud_memory_push: run('push'), cloud_memory_sync: run('both') };
}

const shownNames = 10;

function reportLine({ workspace, pulled, pushed, conflicts, refused, isAgreed, problem }: SyncReport): string {
  const kept = conflicts.length === 0 ? '' : ` ${conflicts.length} conflicts are kept for the user.`;
  const stay =
    refused.length === 0
      ? ''
      : ` ${refused.length} not sent: ${refused
          .slice(0, shownNames)
          .map(({ id }) => id)
          .join(', ')}.`;
  const wait = isAgreed ? '' : ' Nothing is sent before the user agrees.';
  return `${workspace}: pulled ${pulled}, pushed ${pushed}.${kept}${stay}${wait}${problem === undefined ? '' : ` ${problem}`}`;
}
