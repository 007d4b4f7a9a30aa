// A chat is forgotten: what the reports quote of it, or made of it, goes too.
import type { NoteContent } from 'agent-harness/builtins/tools/memory';
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
    // The summary may tell of any of the chats that were read.
    await files.keep({ ...run, changes, refused, sessions, ...(wasRead ? { summary: '' } : {}), forgotten: (run.forgotten ?? 0) + gone });
  }
}
