// Declares the content of a chat's meta file.
import type { ChatMeta } from '../contract.ts';

/** The content of the file, without `busy`, which is a state of the running process. */
export type SavedMeta = Omit<ChatMeta, 'busy'> & {
  /** Whether the user or a first message set the title. */
  readonly isTitled?: boolean;
};
