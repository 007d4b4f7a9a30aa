// Renders the title of a chat on a phone, as a button that opens the settings for mode, model and folder.
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { isDraft } from 'agent-harness/transcript';
import { Cpu, Folder } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useClient } from '../kit/hooks.ts';
import { hostOnly } from '../kit/host-only.tsx';
import { useShell } from '../kit/shell-context.ts';
import { useSelected } from '../kit/use-selected.ts';
import { folderName } from '../kit/short-texts.ts';
import { ChatRules, ModeItems, useModeName } from './composer/mode-button.tsx';
import { useModelName } from './composer/use-model-name.ts';
import { t } from '../kit/t.ts';
import './composer/more-menu.css';

interface Props {
  readonly chat: OpenChat;
  readonly meta: ChatMeta;
}

export function PhoneOptions({ chat, meta }: Props) {
  const { openDialog } = useShell();
  const [showsRules, setShowsRules] = useState(false);
  const mode = useModeName(chat);
  const usual = useModelName(chat.chatId);
  const isDemo = useSelected(useClient().connection, ({ config }) => config?.demoModel === true);
  const folder = meta.workspaceRoot === undefined ? undefined : folderName(meta.workspaceRoot);
  const model = meta.model ?? usual ?? t('default');
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger {...hostOnly} className="phone-options" title={t('Mode, model and folder')}>
          <span className="phone-options-title one-line" dir="auto">
            {meta.title}
          </span>
          <span className="chat-header-facts muted">
            {folder !== undefined && <bdi className="chat-header-folder">{folder}</bdi>}
            <span>{mode}</span>
          </span>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content {...hostOnly} className="more-menu" side="bottom" align="start" sideOffset={4}>
            <ModeItems chat={chat} onRules={() => setShowsRules(true)} />
            <DropdownMenu.Separator className="more-menu-line" />
            <DropdownMenu.Item className="more-menu-item" onSelect={() => openDialog(isDemo ? 'connect' : 'model')}>
              <Cpu size={16} aria-hidden /> {isDemo ? t('Connect a model') : t('Model: {name}', { name: model })}
            </DropdownMenu.Item>
            {isDraft(meta) && folder !== undefined && (
              <DropdownMenu.Item className="more-menu-item" onSelect={() => openDialog('new-chat')}>
                <Folder size={16} aria-hidden /> {t('Folder: {name}', { name: folder })}
              </DropdownMenu.Item>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {showsRules && <ChatRules chat={chat} onClose={() => setShowsRules(false)} />}
    </>
  );
}
