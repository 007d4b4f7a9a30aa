// What waits for a person in chats that are not looked at, with the way there.
import { useClient } from '../kit/hooks.ts';
import { waitingElsewhere } from './attention.ts';
import { usePending } from './pending-context.ts';
import { useSelected } from '../kit/use-selected.ts';
import { tn, tx } from '../kit/t.ts';
import './waiting-elsewhere.css';

/** @param chatId of the chat that is looked at; left out where none is */
export function WaitingElsewhere({ chatId }: { readonly chatId?: string }) {
  const client = useClient();
  const chats = useSelected(client.chats, (list) => list.chats);
  return waitingElsewhere(usePending(), chatId, chats).map(({ chatId: other, title, count }) => (
    <a key={other} className="waiting-elsewhere small" href={`#/chat/${encodeURIComponent(other)}`}>
      {tx('{what} in {title}', { what: tn(count, '{count} decision waits', '{count} decisions wait'), title: <b>{title}</b> })}
    </a>
  ));
}
