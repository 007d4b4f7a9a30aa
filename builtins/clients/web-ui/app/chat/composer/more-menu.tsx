// The small menu of the composer: undo, and the list of commands for those who do not know the slash.
import type { OpenChat } from 'agent-harness/client';
import { messageOf } from 'agent-harness/lib/errors';
import { Ellipsis, SquareSlash, Undo2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { describeUndo } from './describe-undo.ts';
import './more-menu.css';

interface MoreMenuProps {
  readonly chat: OpenChat;
  readonly isRunning: boolean;
  /** Puts the slash into the field and the focus there. */
  readonly onCommands: () => void;
}

export function MoreMenu({ chat, isRunning, onCommands }: MoreMenuProps) {
  const client = useClient();
  const wantsCommands = useRef(false);

  async function undo(): Promise<void> {
    try {
      chat.note(describeUndo(await client.call('POST /api/undo', { body: { chatId: chat.chatId } })));
    } catch (fault) {
      chat.note(messageOf(fault));
    }
  }

  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare icon composer-tool" aria-label="More actions">
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
          <DropdownMenu.Item className="more-menu-item" disabled={isRunning} onSelect={() => void undo()}>
            <Undo2 size={16} aria-hidden />
            <span>
              Undo
              <span className="more-menu-hint">{isRunning ? 'possible when the turn is over' : 'takes back file changes of the last turn'}</span>
            </span>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="more-menu-item" onSelect={() => (wantsCommands.current = true)}>
            <SquareSlash size={16} aria-hidden />
            <span>
              Commands
              <span className="more-menu-hint">or type / at the beginning</span>
            </span>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
