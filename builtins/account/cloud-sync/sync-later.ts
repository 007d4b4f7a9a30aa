// Synchronises the notes of a chat with the user's account after a turn.
import type { Services } from 'agent-harness/kernel';
import type { NotesSync, SyncTarget } from 'agent-harness/builtins/account/notes-sync';

export interface LaterParts {
  readonly notesSync: NotesSync;
  readonly target: SyncTarget;
  readonly chatId: string;
  readonly settings: Services['settings'] | undefined;
  readonly variable: string;
}

/** Synchronises the notes of a chat. Uploads nothing until the user has agreed. */
export async function syncChat({ notesSync, target, chatId, settings, variable }: LaterParts): Promise<void> {
  const field = (await settings?.read())?.fields.find(({ key }) => key === variable);
  // Enabling the setting explicitly counts as agreement; with the default value, the user must agree first.
  const isWanted = field !== undefined && field.source !== 'default';
  for (const place of await notesSync.placesOf(target, chatId)) await notesSync.run(target, place, { isWanted });
}
