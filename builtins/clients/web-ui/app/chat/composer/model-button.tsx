// Which model answers next in this chat, and the way to another one.
import type { OpenChat } from 'agent-harness/client';
import { useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { useModelName } from './use-model-name.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { t } from '../../kit/t.ts';

export function ModelButton({ chat }: { readonly chat: OpenChat }) {
  const { openDialog } = useShell();
  const own = useSelected(useClient().chats, ({ chats }) => chats.find((one) => one.chatId === chat.chatId)?.model);
  const usual = useModelName(chat.chatId, undefined);
  return (
    <button
      type="button"
      {...hostOnly}
      className="button bare composer-model small"
      aria-label={t('Model: {own}', { own: own ?? usual ?? t('as set') })}
      onClick={() => openDialog('model')}
    >
      {own ?? usual ?? t('Model')}
    </button>
  );
}
