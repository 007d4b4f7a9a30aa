// Tracks whether the user has not sent a message yet: the only chat is an unused one.
import { isDraft } from 'agent-harness/transcript';
import { useClient } from '../kit/hooks.ts';
import { useSelected } from '../kit/use-selected.ts';

export const useIsFirstRun = (): boolean =>
  useSelected(useClient().chats, ({ chats }) => chats.length === 1 && chats.every((chat) => isDraft(chat) && !chat.temporary));
