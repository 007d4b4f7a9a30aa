// The small menu of the composer: what plugins add to it, and the list of commands for those who do not know the slash.
import type { OpenChat } from 'agent-harness/client';
import { messageOf } from 'agent-harness/lib/errors';
import { Ellipsis, SquareSlash } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import type { ChatAction } from '../../points/contribution.ts';
import { useExtraChatActions } from '../../points/use-contributions.ts';
import { t } from '../../kit/t.ts';
import './more-menu.css';

interface MoreMenuProps {
  readonly chat: OpenChat;
  readonly isRunning: boolean;
  /** Puts the slash into the field and the focus there. */
  readonly onCommands: () => void;
}

export function MoreMenu({ chat, isRunning, onCommands }: MoreMenuProps) {
  const client = useClient();
  const extra = useExtraChatActions();
  const wantsCommands = useRef(false);

  async function run(action: ChatAction): Promise<void> {
    try {
      chat.note((await action.run(client, chat.chatId)).text);
    } catch (fault) {
      chat.note(messageOf(fault));
    }
  }

  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare icon composer-tool" aria-label={t('More actions')}>
        <Ellipsis size={18} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="more-menu"
          side="top"
          align="start"
          sideOffset={4}
          onCloseAutoFocus={(event) => {
            if (!wantsCommands.current) return;
            wantsCommands.current = false;
            event.preventDefault();
            onCommands();
          }}
        >
          {extra.map((action) => (
            <DropdownMenu.Item key={action.title} {...hostOnly} className="more-menu-item" disabled={isRunning} onSelect={() => void run(action)}>
              <action.icon size={16} aria-hidden />
              <span>
                {t(action.short)}
                <span className="more-menu-hint">{isRunning ? t('possible when the turn is over') : t(action.hint)}</span>
              </span>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Item className="more-menu-item" onSelect={() => (wantsCommands.current = true)}>
            <SquareSlash size={16} aria-hidden />
            <span>
              {t('Commands')}
              <span className="more-menu-hint">{t('or type / at the beginning')}</span>
            </span>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
