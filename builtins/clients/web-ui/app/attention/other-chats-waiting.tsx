// Lists pending decisions of other chats, with links.
import { useClient } from '../kit/hooks.ts';
import { waitingElsewhere } from './attention.ts';
import { usePending } from './pending-context.ts';
import { useSelected } from '../kit/use-selected.ts';
import { tn, tx } from '../kit/t.ts';
import './waiting-elsewhere.css';

/** @param chatId id of the current chat; omitted if there is none */
export function OtherChatsWaiting({ chatId }: { readonly chatId?: string }) {
  const client = useClient();
  const chats = useSelected(client.chats, (list) => list.chats);
  return waitingElsewhere(usePending(), chatId, chats).map(({ chatId: other, title, count }) => (
    <a key={other} className="waiting-elsewhere small" href={`#/chat/${encodeURIComponent(other)}`}>
      {tx('{decisions} in {title}', { decisions: tn(count, '{count} pending decision', '{count} pending decisions'), title: <b>{title}</b> })}
    </a>
  ));
}
