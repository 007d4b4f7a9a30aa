// Renders the menu of the composer: files, commands, and the items of plugins.
import type { OpenChat } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { Paperclip, Plus, SquareSlash } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import type { ChatAction } from '../../points/contribution.ts';
import { AfterMenuContext } from '../../points/after-menu.ts';
import { Slot } from '../../points/slot.tsx';
import { useExtraChatActions } from '../../points/use-contributions.ts';
import { t } from '../../kit/t.ts';
import './more-menu.css';

interface MoreMenuProps {
  readonly chat: OpenChat;
  readonly isRunning: boolean;
  /** Opens the file picker. */
  readonly onFiles: () => void;
  /** Inserts a slash into the field and focuses it. */
  readonly onCommands: () => void;
}

export function MoreMenu({ chat, isRunning, onFiles, onCommands }: MoreMenuProps) {
  const client = useClient();
  const extra = useExtraChatActions();
  const next = useRef<() => void>(undefined);
  const afterMenu = (work: () => void): void => void (next.current = work);

  async function run(action: ChatAction): Promise<void> {
    try {
      chat.note((await action.run(client, chat.chatId)).text);
    } catch (fault) {
      chat.note(messageOf(fault));
    }
  }

  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare icon composer-tool" aria-label={t('Add files and more')} title={t('Add files and more')}>
        <Plus size={18} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="more-menu"
          side="top"
          align="start"
          sideOffset={4}
          onCloseAutoFocus={(event) => {
            const work = next.current;
            if (!work) return;
            next.current = undefined;
            event.preventDefault();
            work();
          }}
        >
          {/* Comes first, because the menu grows upwards and an item that is added late must not move the others. */}
          <AfterMenuContext value={afterMenu}>
            <Slot name="composer-menu" chat={chat} />
          </AfterMenuContext>
          <DropdownMenu.Item {...hostOnly} className="more-menu-item" onSelect={onFiles}>
            <Paperclip size={16} aria-hidden /> {t('Add files or photos')}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="more-menu-item" onSelect={() => afterMenu(onCommands)}>
            <SquareSlash size={16} aria-hidden />
            <span>
              {t('Commands')}
              <span className="more-menu-hint">{t('or type / at the beginning')}</span>
            </span>
          </DropdownMenu.Item>
          {extra.map((action) => (
            <DropdownMenu.Item key={action.title} {...hostOnly} className="more-menu-item" disabled={isRunning} onSelect={() => void run(action)}>
              <action.icon size={16} aria-hidden />
              <span>
                {t(action.short)}
                <span className="more-menu-hint">{isRunning ? t('available when the turn is over') : t(action.hint)}</span>
              </span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
