// Implements the cloud sync tools, which synchronise notes with the user's account, and formats their results for the model.
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
      return failed ? { ok: false, error: output, hint: 'Nothing is lost: unsent notes are sent with the next sync.' } : { ok: true, output };
    };
  return { cloud_memory_pull: run('pull'), cloud_memory_push: run('push'), cloud_memory_sync: run('both') };
}

/** Maximum number of note names in one line of the result. */
const shownNames = 10;

function reportLine({ workspace, pulled, pushed, conflicts, refused, isAgreed, problem }: SyncReport): string {
  const conflictText = conflicts.length === 0 ? '' : ` ${conflicts.length} conflicts are stored for the user to review.`;
  const refusedText =
    refused.length === 0
      ? ''
      : ` ${refused.length} are not uploaded: ${refused
          .slice(0, shownNames)
          .map(({ id }) => id)
          .join(', ')}.`;
  const agreementText = isAgreed ? '' : ' Nothing is uploaded before the user agrees.';
  return `${workspace}: ${pulled} received, ${pushed} sent.${conflictText}${refusedText}${agreementText}${problem === undefined ? '' : ` ${problem}`}`;
}
