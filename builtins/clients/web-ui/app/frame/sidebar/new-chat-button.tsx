// Begins a chat: at once, or with a choice of its folder.
import { ChevronDown, FolderOpen, SquarePen } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useShell } from '../../kit/shell-context.ts';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import './new-chat-button.css';

export function NewChatButton() {
  const { attempt, openDialog } = useShell();
  const actions = useChatActions();
  const [isMaking, setMaking] = useState(false);
  return (
    <div className="new-chat">
      <button
        type="button"
        className="button new-chat-plain"
        disabled={isMaking}
        onClick={() =>
          attempt(async () => {
            setMaking(true);
            await actions.create().finally(() => setMaking(false));
          })
        }
      >
        <SquarePen size={16} aria-hidden /> New chat
      </button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button icon new-chat-more" aria-label="Other ways to begin">
          <ChevronDown size={16} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
            <DropdownMenu.Item className="menu-item" onSelect={() => openDialog('new-chat')}>
              <FolderOpen size={16} aria-hidden /> New chat in folder…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  );
}
