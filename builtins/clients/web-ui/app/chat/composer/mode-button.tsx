// Shows when the chat requires approval, and opens the selection of modes.
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { Check, ShieldCheck } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Suspense, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { lazyPart } from '../../kit/lazy-part.ts';
import { t, table } from '../../kit/t.ts';
import './more-menu.css';

const RulesDialog = lazyPart(async () => (await import('./rules-dialog.tsx')).RulesDialog);

type Mode = ChatMeta['mode'];

const modes: readonly { readonly mode: Mode; readonly name: string; readonly what: string }[] = table(
  [
    { mode: 'ask', name: 'Ask', what: 'Asks before actions that cannot be undone' },
    { mode: 'careful', name: 'Careful', what: 'Also asks before each file edit' },
    { mode: 'plan', name: 'Plan', what: 'Only reads until you approve a plan' },
    { mode: 'auto', name: 'Auto', what: 'A judge model approves harmless commands' },
  ],
  'name',
  'what',
);

const useMode = ({ chatId }: OpenChat): Mode => useSelected(useClient().chats, ({ chats }) => chats.find((one) => one.chatId === chatId)?.mode) ?? 'ask';

export function useModeName(chat: OpenChat): string {
  const mode = useMode(chat);
  return modes.find((one) => one.mode === mode)?.name ?? mode;
}

export function ModeButton({ chat }: { readonly chat: OpenChat }) {
  const [showsRules, setShowsRules] = useState(false);
  const name = useModeName(chat);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger {...hostOnly} className="button bare small composer-choice composer-mode" aria-label={t('Mode: {name}', { name })}>
          <ShieldCheck size={15} aria-hidden /> {name}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content {...hostOnly} className="more-menu" side="top" align="start" sideOffset={4}>
            <ModeItems chat={chat} onRules={() => setShowsRules(true)} />
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {showsRules && <ChatRules chat={chat} onClose={() => setShowsRules(false)} />}
    </>
  );
}

/** Renders menu items for the modes and for the rules. */
export function ModeItems({ chat, onRules }: { readonly chat: OpenChat; readonly onRules: () => void }) {
  const actions = useChatActions();
  const mode = useMode(chat);
  return (
    <>
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
      <DropdownMenu.Separator className="more-menu-line" />
      <DropdownMenu.Item className="more-menu-item" onSelect={onRules}>
        <span className="more-menu-text">
          {t('Rules…')}
          <span className="more-menu-hint">{t('Rules that approve or deny without asking')}</span>
        </span>
      </DropdownMenu.Item>
    </>
  );
}

export function ChatRules({ chat, onClose }: { readonly chat: OpenChat; readonly onClose: () => void }) {
  return (
    <Suspense>
      <RulesDialog chatId={chat.chatId} onClose={onClose} />
    </Suspense>
  );
}
