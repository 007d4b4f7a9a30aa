// Renders one chat in the list: its title, state, and menu.
import { Hourglass } from 'lucide-react';
import { memo, useState } from 'react';
import type { ChatMeta } from 'agent-harness/client';
import { hashOf } from '../../kit/hooks.ts';
import { ChatMenu } from '../../chats/chat-menu.tsx';
import { tagText } from '../../kit/short-texts.ts';
import { TitleField } from '../../chats/title-field.tsx';
import { usePermission } from '../../points/use-permission.ts';
import type { ChatActions } from '../../chats/use-chat-actions.ts';
import { t } from '../../kit/t.ts';

interface Props {
  readonly chat: ChatMeta;
  readonly isCurrent: boolean;
  readonly isWaiting: boolean;
  readonly actions: ChatActions;
  readonly onDelete: (chat: ChatMeta) => void;
  /** Set during multiple selection. */
  readonly isChosen?: boolean;
  readonly onToggle?: (chatId: string) => void;
}

export const ChatRow = memo(function ChatRow({ chat, isCurrent, isWaiting, actions, onDelete, isChosen, onToggle }: Props) {
  const [isRenaming, setRenaming] = useState(false);
  const mayManage = usePermission('chats.manage');
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
  if (onToggle) {
    return (
      <label className="chat-row chat-row-choice" title={chat.workspaceRoot}>
        <input type="checkbox" checked={isChosen === true} onChange={() => onToggle(chat.chatId)} />
        <span className="chat-row-link one-line" dir="auto">
          {chat.title}
          {chat.tags.length > 0 && <span className="chat-row-tags"> {tagText(chat.tags)}</span>}
        </span>
      </label>
    );
  }
  return (
    <div className="chat-row" data-current={isCurrent || undefined}>
      <a
        className="chat-row-link one-line"
        dir="auto"
        href={hashOf({ page: 'chat', id: chat.chatId })}
        title={chat.workspaceRoot}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {chat.title}
        {chat.tags.length > 0 && <span className="chat-row-tags"> {tagText(chat.tags)}</span>}
      </a>
      {chat.temporary && (
        <span className="chat-row-temporary" title={t('Temporary: not stored')}>
          <Hourglass size={14} aria-hidden />
          <span className="visually-hidden">{t('Temporary')}</span>
        </span>
      )}
      {isWaiting ? (
        <span className="chat-row-waiting" title={t('Waits for your decision')}>
          <span className="visually-hidden">{t('Waits for your decision')}</span>
        </span>
      ) : (
        chat.busy && (
          <span className="chat-row-busy" title={t('Working')}>
            <span className="visually-hidden">{t('Working')}</span>
          </span>
        )
      )}
      {mayManage && (
        <ChatMenu
          chat={chat}
          label={t('Actions for {title}', { title: chat.title })}
          actions={actions}
          onRename={() => setRenaming(true)}
          onDelete={() => onDelete(chat)}
        />
      )}
    </div>
  );
});
