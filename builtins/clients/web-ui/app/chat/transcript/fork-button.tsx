// Renders the button that continues the conversation from this message in a new chat.
import { messageOf } from '#lib/errors';
import { GitFork } from 'lucide-react';
import { use, useState } from 'react';
import { ChatContext, goTo, useClient } from '../../kit/hooks.ts';
import { usePermission } from '../../points/use-permission.ts';
import { RunningTurnContext } from './running-turn.ts';
import { t } from '../../kit/t.ts';

export function ForkButton({ turnId }: { readonly turnId: string }) {
  const client = useClient();
  const chat = use(ChatContext);
  const running = use(RunningTurnContext);
  const [isBusy, setBusy] = useState(false);
  const may = usePermission('chats.write');
  if (!may || !chat || running === turnId) return null;
  const fork = async (): Promise<void> => {
    setBusy(true);
    try {
      const copy = await client.call('POST /api/chats/:id/fork', { params: { id: chat.chatId }, body: { atTurn: turnId } });
      await client.refreshChats();
      goTo({ page: 'chat', id: copy.chatId });
    } catch (fault) {
      chat.note(t('The chat could not be forked: {fault}', { fault: messageOf(fault) }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="quiet-button" disabled={isBusy} onClick={() => void fork()}>
      <GitFork size={14} aria-hidden />
      <span>{t('Fork here')}</span>
    </button>
  );
}
