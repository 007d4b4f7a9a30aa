// Deletes quotes and notes that were derived from a deleted chat or a removed message from the reports of dreams.
import type { NoteContent, NoteEvidence } from 'agent-harness/builtins/tools/memory';
import type { RemovedEntry } from 'agent-harness/plugins/agent';
import type { DreamFiles } from './dream-files.ts';

export async function forgetInRuns(files: DreamFiles, { chatId, turnIds }: { readonly chatId: string; readonly turnIds: ReadonlySet<string> }): Promise<void> {
  const isOfChat = (content: NoteContent | null): boolean =>
    content !== null && ((content.evidence ?? []).some((one) => one.chatId === chatId) || turnIds.has(content.source.ref));
  for (const run of await files.runs()) {
    const changes = run.changes.filter(
      ({ edit: { from, to, place, scope } }) => !isOfChat(from) && !isOfChat(to) && !(scope === 'chat' && place.chatId === chatId),
    );
    const refused = run.refused.filter(({ evidence }) => !evidence.some((one) => one.chatId === chatId));
    const sessions = run.sessions.filter((one) => one.chatId !== chatId);
    const gone = run.changes.length - changes.length + run.refused.length - refused.length;
    const wasRead = sessions.length < run.sessions.length;
    if (gone === 0 && !wasRead) continue;
    // The summary may mention any chat that the run read.
    await files.keep({ ...run, changes, refused, sessions, ...(wasRead ? { summary: '' } : {}), forgotten: (run.forgotten ?? 0) + gone });
  }
}

/** Removes the changes based on a removed message or call, and the summary, which may repeat it. @param title current title of the chat */
export async function dropFromRuns(files: DreamFiles, { chatId, entryId }: RemovedEntry, title: string): Promise<void> {
  const restsOn = (evidence: readonly NoteEvidence[] = []): boolean => evidence.some((one) => one.chatId === chatId && one.entryId === entryId);
  for (const run of await files.runs()) {
    if (!run.sessions.some((one) => one.chatId === chatId)) continue;
    const changes = run.changes.filter(({ edit: { from, to } }) => !restsOn(from?.evidence) && !restsOn(to?.evidence));
    const refused = run.refused.filter(({ evidence }) => !restsOn(evidence));
    const gone = run.changes.length - changes.length + run.refused.length - refused.length;
    const sessions = run.sessions.map((one) => (one.chatId === chatId ? { ...one, title } : one));
    await files.keep({ ...run, changes, refused, sessions, summary: '', ...(gone === 0 ? {} : { forgotten: (run.forgotten ?? 0) + gone }) });
  }
}
