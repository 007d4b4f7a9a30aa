// Tells chats that were opened and never used from those that a person continues, lists or names.
import type { ChatMeta } from 'agent-harness/plugins/chats';

/** Title of a chat until its first message or a person names it. */
export const untitled = 'New chat';

/** Whether the chat has no turn and no title of its own. An empty title is that of older servers. */
export const isDraft = ({ turns, busy, title }: Pick<ChatMeta, 'turns' | 'busy' | 'title'>): boolean =>
  turns === 0 && !busy && (title === untitled || title === '');

/** Whether lists omit the chat: a draft that a person neither pinned, tagged nor archived. */
export const isUnlisted = (chat: Pick<ChatMeta, 'turns' | 'busy' | 'title' | 'pinned' | 'temporary' | 'tags' | 'archived'>): boolean =>
  isDraft(chat) && !chat.pinned && !chat.temporary && chat.tags.length === 0 && !chat.archived;
