// What the file of a chat holds.
import type { ChatMeta } from '../contract.ts';

/** What the file holds; `busy` is known only to the running process. */
export type SavedMeta = Omit<ChatMeta, 'busy'> & {
  /** Whether a person or a first message named it. */
  readonly isTitled?: boolean;
};
