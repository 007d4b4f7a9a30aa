// Renders the header of a chat: title, folder, and usage.
import { Suspense, useState, type ReactNode } from 'react';
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { isDraft } from 'agent-harness/transcript';
import { useStore } from '../kit/hooks.ts';
import { ChatMenu, ChatPagesMenu } from '../chats/chat-menu.tsx';
import { DeleteDialog } from '../chats/delete-dialog.tsx';
import { TitleField } from '../chats/title-field.tsx';
import { formatCount } from '../kit/page/format.ts';
import { oneRow, useMedia } from '../kit/use-media.ts';
import { lazyPart } from '../kit/lazy-part.ts';
import { TopBar } from '../kit/top-bar.tsx';
import { useChatActions } from '../chats/use-chat-actions.ts';
import { amount, folderName, money, tagText } from '../kit/short-texts.ts';
import { usePermission } from '../points/use-permission.ts';
import { t } from '../kit/t.ts';
import './chat-header.css';

const PhoneOptions = lazyPart(async () => (await import('./phone-options.tsx')).PhoneOptions);

interface HeaderProps {
  readonly chat: OpenChat;
  readonly meta: ChatMeta;
  /** Whether to hide the title and the menu, which the page of a first run does not need. */
  readonly isBare: boolean;
  /** Content of the header after the menu. */
  readonly end?: ReactNode;
}

export function ChatHeader({ chat, meta, isBare, end }: HeaderProps) {
  const actions = useChatActions();
  const mayManage = usePermission('chats.manage');
  const [isRenaming, setRenaming] = useState(false);
  const [isCondemned, condemn] = useState(false);
  const isPhone = useMedia(oneRow);
  if (isBare) {
    return (
      <TopBar>
        <h1 className="visually-hidden">{meta.title}</h1>
      </TopBar>
    );
  }
  const title = <span className="chat-header-draft">{meta.title}</span>;
  return (
    <TopBar>
      <div className="chat-header">
        {isRenaming ? (
          <TitleField
            title={meta.title}
            onDone={(title) => {
              setRenaming(false);
              if (title !== undefined) actions.change(meta, { title });
            }}
          />
        ) : (
          <h1 className="chat-header-title">
            {!mayManage ? (
              title
            ) : isPhone ? (
              <Suspense fallback={title}>
                <PhoneOptions chat={chat} meta={meta} />
              </Suspense>
            ) : isDraft(meta) ? (
              title
            ) : (
              <button type="button" dir="auto" title={t('Rename')} onClick={() => setRenaming(true)}>
                {meta.title}
              </button>
            )}
          </h1>
        )}
        {!(isPhone && mayManage) && <Facts chat={chat} meta={meta} />}
      </div>
      {mayManage ? (
        <ChatMenu chat={meta} label={t('Actions for this chat')} actions={actions} isOpen onRename={() => setRenaming(true)} onDelete={() => condemn(true)} />
      ) : (
        <ChatPagesMenu chat={meta} actions={actions} />
      )}
      {end}
      {isCondemned && (
        <DeleteDialog
          chat={meta}
          onAnswer={(isSure) => {
            condemn(false);
            if (isSure) actions.remove(meta);
          }}
        />
      )}
    </TopBar>
  );
}

function Facts({ chat, meta }: { readonly chat: OpenChat; readonly meta: ChatMeta }) {
  const { usage } = useStore(chat.state);
  const { input, output, cached, cost } = usage;
  return (
    <p className="chat-header-facts muted">
      {meta.workspaceRoot !== undefined && (
        <span className="chat-header-folder" title={meta.workspaceRoot}>
          <span className="visually-hidden">{t('Folder')} </span>
          <bdi>{folderName(meta.workspaceRoot)}</bdi>
        </span>
      )}
      {meta.archived && <span>{t('Archived')}</span>}
      {meta.temporary && <span title={t('Not stored: erased when you delete it or when the server restarts')}>{t('Temporary')}</span>}
      {meta.tags.length > 0 && <span className="chat-header-tags">{tagText(meta.tags)}</span>}
      {input + output > 0 && (
        <span
          title={t('{input} input tokens ({cached} cached), {output} output tokens', {
            input: formatCount(input),
            cached: formatCount(cached),
            output: formatCount(output),
          })}
        >
          {t('{tokens} tokens', { tokens: amount(input + output) })}
          {cost !== undefined && ` · ${money(cost)}`}
        </span>
      )}
    </p>
  );
}
