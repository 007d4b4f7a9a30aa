// Renders the menu of a chat behind three dots.
import { Archive, ArchiveRestore, Ellipsis, GitFork, PanelRight, Pencil, Pin, PinOff, Tags, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Suspense, useRef, useState } from 'react';
import type { ChatMeta } from 'agent-harness/client';
import { goTo, hashOf, useClient } from '../kit/hooks.ts';
import { HostOnly } from '../kit/host-only.tsx';
import type { Icon } from '../kit/icon.ts';
import { lazyPart } from '../kit/lazy-part.ts';
import { routeOf } from '../points/contribution.ts';
import { togglePane } from '../points/pane.ts';
import { useExtraChatActions, usePages, usePaneTabs } from '../points/use-contributions.ts';
import type { ChatActions } from './use-chat-actions.ts';
import { t } from '../kit/t.ts';

const TagsDialog = lazyPart(async () => (await import('./tags-dialog.tsx')).TagsDialog);

interface Props {
  readonly chat: ChatMeta;
  /** Label for screen readers. */
  readonly label: string;
  readonly actions: ChatActions;
  /** Whether this chat is open; if so, actions on its files are included. */
  readonly isOpen?: boolean;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

export function ChatMenu({ chat, label, actions, isOpen = false, onRename, onDelete }: Props) {
  // The element that was opened takes the focus; the menu must not take it back.
  const movesFocus = useRef(false);
  const [isTagging, setTagging] = useState(false);
  const moving = (work: () => void) => (): void => {
    movesFocus.current = true;
    work();
  };
  return (
    <>
      <DropdownMenu.Root modal={false} onOpenChange={(isShown) => isShown && (movesFocus.current = false)}>
        <DropdownMenu.Trigger className="button bare icon chat-menu-button" aria-label={label}>
          <Ellipsis size={18} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            className="menu"
            align="end"
            sideOffset={4}
            collisionPadding={8}
            onCloseAutoFocus={(event) => movesFocus.current && event.preventDefault()}
          >
            <Item icon={Pencil} name={t('Rename')} onSelect={moving(onRename)} />
            <Item
              icon={chat.pinned ? PinOff : Pin}
              name={chat.pinned ? t('Unpin') : t('Pin')}
              onSelect={() => actions.change(chat, { pinned: !chat.pinned })}
            />
            <Item icon={Tags} name={t('Tags')} onSelect={moving(() => setTagging(true))} />
            <Item icon={GitFork} name={t('Fork')} onSelect={() => actions.fork(chat)} />
            {isOpen && <ItemsOfPlugins chat={chat} actions={actions} onPage={moving} />}
            <DropdownMenu.Separator className="menu-line" />
            <Item
              icon={chat.archived ? ArchiveRestore : Archive}
              name={chat.archived ? t('Unarchive') : t('Archive')}
              onSelect={() => actions.change(chat, { archived: !chat.archived })}
            />
            <Item icon={Trash2} name={t('Delete')} isDanger onSelect={moving(onDelete)} />
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isTagging && (
        <Suspense>
          <TagsDialog
            tags={chat.tags}
            onAnswer={(tags) => {
              setTagging(false);
              if (tags) actions.change(chat, { tags });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Renders the menu of a read-only chat with the pages about it; renders nothing if there are none. */
export function ChatPagesMenu({ chat, actions }: Pick<Props, 'chat' | 'actions'>) {
  const hasPages = usePages().some(({ place }) => place === 'chat');
  if (!hasPages) return null;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare icon chat-menu-button" aria-label={t('Pages about this chat')}>
        <Ellipsis size={18} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          <ItemsOfPlugins chat={chat} actions={actions} onPage={(work) => work} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemsProps extends Pick<Props, 'chat' | 'actions'> {
  /** Wraps links to other pages. */
  readonly onPage: (work: () => void) => () => void;
}

function ItemsOfPlugins({ chat, actions, onPage }: ItemsProps) {
  const pages = usePages().filter(({ place }) => place === 'chat');
  const extra = useExtraChatActions();
  const client = useClient();
  const hasPane = usePaneTabs().length > 0;
  return (
    <HostOnly>
      {hasPane && <Item icon={PanelRight} name={t('Show or hide the side pane')} onSelect={() => togglePane(client)} />}
      {pages.map((link) => (
        <Item key={hashOf(routeOf(link))} icon={link.icon} name={t(link.title)} onSelect={onPage(() => goTo(routeOf(link, chat.chatId)))} />
      ))}
      {extra.map((action) => (
        <Item key={action.title} icon={action.icon} name={t(action.title)} onSelect={() => actions.run(action, chat.chatId)} />
      ))}
    </HostOnly>
  );
}

function Item({ icon: Picture, name, isDanger = false, onSelect }: { icon: Icon; name: string; isDanger?: boolean; onSelect: () => void }) {
  return (
    <DropdownMenu.Item className={isDanger ? 'menu-item danger' : 'menu-item'} onSelect={onSelect}>
      <Picture size={16} aria-hidden /> {name}
    </DropdownMenu.Item>
  );
}
