// One chat in the list: its title, since when it rests, whether it works or waits for a decision, its menu.
import { CircleAlert } from 'lucide-react';
import { memo, useState } from 'react';
import type { ChatMeta } from 'agent-harness/client';
import { hashOf } from '../../kit/hooks.ts';
import { ChatMenu } from '../../chats/chat-menu.tsx';
import { tagText } from '../../kit/words.ts';
import { TitleField } from '../../chats/title-field.tsx';
import type { ChatActions } from '../../chats/use-chat-actions.ts';

interface Props {
  readonly chat: ChatMeta;
  /** As words, so that a row is drawn again only when they change. */
  readonly age: string;
  readonly isCurrent: boolean;
  readonly isWaiting: boolean;
  readonly actions: ChatActions;
  readonly onDelete: (chat: ChatMeta) => void;
}

export const ChatRow = memo(function ChatRow({ chat, age, isCurrent, isWaiting, actions, onDelete }: Props) {
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) {
    return (
      <TitleField
        title={chat.title}
        onDone={(title) => {
          setRenaming(false);
          if (title !== undefined) actions.change(chat, { title });
        }}
      />
    );
  }
  return (
    <div className="chat-row" data-current={isCurrent || undefined}>
      <a className="chat-row-link" href={hashOf({ page: 'chat', id: chat.chatId })} title={chat.workspaceRoot} aria-current={isCurrent ? 'page' : undefined}>
        {chat.title}
        {chat.tags.length > 0 && <span className="chat-row-tags"> {tagText(chat.tags)}</span>}
      </a>
      {isWaiting ? (
        <span className="chat-row-waiting" title="Waits for your decision">
          <CircleAlert size={16} aria-hidden />
          <span className="visually-hidden">Waits for your decision</span>
        </span>
      ) : (
        chat.busy && (
          <span className="chat-row-busy" title="Working">
            <span className="visually-hidden">Working</span>
          </span>
        )
      )}
      <time className="chat-row-age" dateTime={chat.updatedAt}>
        {age}
      </time>
      <ChatMenu chat={chat} label={`Actions for ${chat.title}`} actions={actions} onRename={() => setRenaming(true)} onDelete={() => onDelete(chat)} />
    </div>
  );
});
