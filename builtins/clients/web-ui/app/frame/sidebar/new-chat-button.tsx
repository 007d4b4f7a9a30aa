// Begins a chat: at once, or with a choice of its folder.
import { ChevronDown, FolderOpen, Hourglass, SquarePen } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { use, useState } from 'react';
import { goTo } from '../../kit/hooks.ts';
import { routeOf } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { useShell } from '../../kit/shell-context.ts';
import { SidebarContext } from '../../kit/top-bar.tsx';
import { useChatActions, type NewChat } from '../../chats/use-chat-actions.ts';
import { t } from '../../kit/t.ts';
import './new-chat-button.css';

export function NewChatButton() {
  const { attempt, openDialog } = useShell();
  const actions = useChatActions();
  const sidebar = use(SidebarContext);
  const [isMaking, setMaking] = useState(false);
  const ways = usePages().filter(({ place }) => place === 'begin');
  /** The chat may be the one that is open already, so nothing else tells that one was chosen. */
  const begin = async (wish?: NewChat): Promise<void> => {
    await actions.create(wish);
    sidebar?.leave();
  };
  return (
    <div className="new-chat">
      <button
        type="button"
        className="button new-chat-plain"
        disabled={isMaking}
        onClick={() =>
          attempt(async () => {
            setMaking(true);
            await begin().finally(() => setMaking(false));
          })
        }
      >
        <SquarePen size={16} aria-hidden /> {t('New chat')}
      </button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button icon new-chat-more" aria-label={t('Other ways to begin')}>
          <ChevronDown size={16} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
            <DropdownMenu.Item className="menu-item" onSelect={() => openDialog('new-chat')}>
              <FolderOpen size={16} aria-hidden /> {t('New chat in folder…')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => attempt(() => begin({ temporary: true }))}>
              <Hourglass size={16} aria-hidden /> {t('Temporary chat')}
            </DropdownMenu.Item>
            {ways.map((link) => (
              <DropdownMenu.Item key={link.title} className="menu-item" onSelect={() => goTo(routeOf(link))}>
                <link.icon size={16} aria-hidden /> {t(link.title)}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  );
}
