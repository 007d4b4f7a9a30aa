// How much the chat asks, and the choice of another way.
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { Check, ShieldCheck } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useClient } from '../../kit/hooks.ts';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { useSelected } from '../../kit/use-selected.ts';
import './more-menu.css';

type Mode = ChatMeta['mode'];

const modes: readonly { readonly mode: Mode; readonly name: string; readonly what: string }[] = [
  { mode: 'ask', name: 'Ask', what: 'what cannot be taken back asks' },
  { mode: 'careful', name: 'Careful', what: 'each edit of a file asks, too' },
  { mode: 'plan', name: 'Plan', what: 'only reads, until you approve a plan' },
  { mode: 'auto', name: 'Auto', what: 'a judge lets harmless commands pass' },
];

export function ModeButton({ chat }: { readonly chat: OpenChat }) {
  const actions = useChatActions();
  const mode = useSelected(useClient().chats, ({ chats }) => chats.find((one) => one.chatId === chat.chatId)?.mode) ?? 'ask';
  const name = modes.find((one) => one.mode === mode)?.name ?? mode;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare small composer-choice composer-mode" aria-label={`Mode: ${name}`}>
        <ShieldCheck size={15} aria-hidden /> {name}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="more-menu" side="top" align="start" sideOffset={4}>
          <DropdownMenu.RadioGroup value={mode} onValueChange={(chosen) => actions.change(chat, { mode: chosen as Mode })}>
            {modes.map((one) => (
              <DropdownMenu.RadioItem key={one.mode} value={one.mode} className="more-menu-item">
                <span className="more-menu-text">
                  {one.name}
                  <span className="more-menu-hint">{one.what}</span>
                </span>
                <DropdownMenu.ItemIndicator>
                  <Check size={16} aria-hidden />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
