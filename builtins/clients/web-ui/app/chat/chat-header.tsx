// What is open: title, folder, model, and what the chat has used.
import { Folder } from 'lucide-react';
import { useState } from 'react';
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { useStore } from '../kit/hooks.ts';
import { ChatMenu } from '../chats/chat-menu.tsx';
import { DeleteDialog } from '../chats/delete-dialog.tsx';
import { TitleField } from '../chats/title-field.tsx';
import { TopBar } from '../kit/top-bar.tsx';
import { useChatActions } from '../chats/use-chat-actions.ts';
import { useModelName } from './composer/use-model-name.ts';
import { amount, money, shortPath, tagText } from '../kit/words.ts';
import './chat-header.css';

export function ChatHeader({ chat, meta }: { readonly chat: OpenChat; readonly meta: ChatMeta }) {
  const actions = useChatActions();
  const [isRenaming, setRenaming] = useState(false);
  const [isCondemned, condemn] = useState(false);
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
            <button type="button" title="Rename" onClick={() => setRenaming(true)}>
              {meta.title}
            </button>
          </h1>
        )}
        <Facts chat={chat} meta={meta} />
      </div>
      <ChatMenu chat={meta} label="Actions for this chat" actions={actions} isOpen onRename={() => setRenaming(true)} onDelete={() => condemn(true)} />
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
  const { usage, running } = useStore(chat.state);
  const model = useModelName(meta.chatId, running?.model);
  const { input, output, cached, cost } = usage;
  return (
    <p className="chat-header-facts muted">
      <span className="chat-header-folder" title={meta.workspaceRoot}>
        <Folder size={13} aria-hidden />
        <span className="visually-hidden">Folder </span>
        <span className="chat-header-path">{shortPath(meta.workspaceRoot)}</span>
      </span>
      {meta.archived && <span>Archived</span>}
      {meta.tags.length > 0 && <span className="chat-header-tags">{tagText(meta.tags)}</span>}
      {model !== undefined && (
        <span className="chat-header-model" title="Model">
          {model}
        </span>
      )}
      {input + output > 0 && (
        <span title={`${input.toLocaleString()} tokens read (${cached.toLocaleString()} of them cached), ${output.toLocaleString()} written`}>
          {amount(input + output)} tokens{cost === undefined ? '' : ` · ${money(cost)}`}
        </span>
      )}
    </p>
  );
}
