// Detects chats that were opened but never used, which lists omit.
import type { ChatMeta } from 'agent-harness/plugins/chats';

/** Title of a chat until its first message or until a user names it. */
export const untitled = 'New chat';

/** Returns whether a chat has no turn and no title of its own. Older servers wrote an empty title. */
export const isDraft = ({ turns, busy, title }: Pick<ChatMeta, 'turns' | 'busy' | 'title'>): boolean =>
  turns === 0 && !busy && (title === untitled || title === '');

/** Returns whether lists omit a chat: a draft that the user has not pinned, tagged or archived. */
export const isUnlisted = (chat: Pick<ChatMeta, 'turns' | 'busy' | 'title' | 'pinned' | 'temporary' | 'tags' | 'archived'>): boolean =>
  isDraft(chat) && !chat.pinned && !chat.temporary && chat.tags.length === 0 && !chat.archived;
