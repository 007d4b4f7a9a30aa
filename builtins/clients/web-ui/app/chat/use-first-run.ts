// Tracks whether the user has never sent a message: the only chat is empty.
import { isDraft } from 'agent-harness/transcript';
import { useClient } from '../kit/hooks.ts';
import { useSelected } from '../kit/use-selected.ts';

export const useIsFirstRun = (): boolean =>
  useSelected(useClient().chats, ({ chats }) => chats.length === 1 && chats.every((chat) => isDraft(chat) && !chat.temporary));
