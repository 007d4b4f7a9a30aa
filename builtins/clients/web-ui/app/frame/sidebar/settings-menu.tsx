// Renders the menu "Settings and more": pages, ways to start a chat, options of the chat list, theme, keyboard shortcuts.
import { Archive, ArchiveX, Check, ChevronsUpDown, Contrast, FolderOpen, Hourglass, Keyboard, ListChecks, SlidersHorizontal } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { use, useRef } from 'react';
import { hashOf, useClient, useRoute, useStore } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { themes } from '../../kit/theme.ts';
import { SidebarContext } from '../../kit/top-bar.tsx';
import { useChatActions } from '../../chats/use-chat-actions.ts';
import { pageAt, routeOf, type PageLink } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { usePermission } from '../../points/use-permission.ts';
import type { ListView } from './use-list-view.ts';
import { t } from '../../kit/t.ts';
import '../../kit/modal.css';

export function SettingsMenu({ view }: { readonly view: ListView }) {
  const { openDialog } = useShell();
  const pages = usePages();
  const listed = pages.filter(({ place }) => place === undefined);
  const mayManage = usePermission('chats.manage');
  // The element that was opened takes the focus; the menu must not take it back.
  const movesFocus = useRef(false);
  const leave = (): void => void (movesFocus.current = true);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(isOpen) => isOpen && (movesFocus.current = false)}>
      <DropdownMenu.Trigger className="sidebar-row">
        <SlidersHorizontal size={18} aria-hidden />
        <span className="sidebar-row-text">{t('Settings and more')}</span>
        {listed.map(({ Badge, title }) => Badge && <Badge key={title} />)}
        <ChevronsUpDown size={16} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu settings-menu"
          side="top"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => movesFocus.current && event.preventDefault()}
        >
          <PageItems pages={listed} onLeave={leave} />
          <DropdownMenu.Separator className="menu-line" />
          {mayManage && <BeginItems pages={pages.filter(({ place }) => place === 'begin')} onLeave={leave} />}
          <ListItems view={view} mayChoose={mayManage} />
          <PageItems pages={pages.filter(({ place }) => place === 'chats')} onLeave={leave} />
          <DropdownMenu.Separator className="menu-line" />
          <ThemeItem />
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => {
              leave();
              openDialog('shortcuts');
            }}
          >
            <Keyboard size={16} aria-hidden /> {t('Keyboard shortcuts')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface PageItemsProps {
  readonly pages: readonly PageLink[];
  /** Called before the focus moves to the target of a menu item. */
  readonly onLeave: () => void;
}

function PageItems({ pages, onLeave }: PageItemsProps) {
  const sidebar = use(SidebarContext);
  const current = pageAt(pages, useRoute());
  return pages.map((link) => {
    const { title, icon: Icon, Badge } = link;
    const href = hashOf(routeOf(link));
    return (
      <DropdownMenu.Item
        key={href}
        asChild
        className="menu-item"
        onSelect={() => {
          onLeave();
          sidebar?.leave();
        }}
      >
        <a href={href} aria-current={link === current ? 'page' : undefined}>
          <Icon size={16} aria-hidden /> <span className="menu-item-text">{t(title)}</span>
          {Badge && <Badge />}
        </a>
      </DropdownMenu.Item>
    );
  });
}

function BeginItems({ pages, onLeave }: PageItemsProps) {
  const { attempt, openDialog } = useShell();
  const actions = useChatActions();
  const sidebar = use(SidebarContext);
  return (
    <>
      <DropdownMenu.Item
        className="menu-item"
        onSelect={() => {
          onLeave();
          sidebar?.leave();
          openDialog('new-chat');
        }}
      >
        <FolderOpen size={16} aria-hidden /> {t('New chat in folder…')}
      </DropdownMenu.Item>
      <DropdownMenu.Item
        className="menu-item"
        onSelect={() => {
          onLeave();
          attempt(async () => {
            await actions.create({ temporary: true });
            sidebar?.leave();
          });
        }}
      >
        <Hourglass size={16} aria-hidden /> {t('Temporary chat')}
      </DropdownMenu.Item>
      <PageItems pages={pages} onLeave={onLeave} />
    </>
  );
}

function ListItems({ view, mayChoose }: { readonly view: ListView; readonly mayChoose: boolean }) {
  const { chats } = useStore(useClient().chats);
  const { grouping, isArchive, chosen } = view;
  const isByFolder = grouping === 'folder';
  const archived = chats.filter((chat) => chat.archived).length;
  return (
    <>
      <DropdownMenu.CheckboxItem className="menu-item" checked={isByFolder} onSelect={() => view.group(isByFolder ? 'day' : 'folder')}>
        <Check size={16} aria-hidden style={{ visibility: isByFolder ? 'visible' : 'hidden' }} /> {t('Group by folder')}
      </DropdownMenu.CheckboxItem>
      {mayChoose && (
        <DropdownMenu.Item className="menu-item" onSelect={() => view.choose(chosen ? undefined : new Set())}>
          <ListChecks size={16} aria-hidden /> {chosen ? t('End selection') : t('Select several')}
        </DropdownMenu.Item>
      )}
      {(isArchive || archived > 0) && (
        <DropdownMenu.Item className="menu-item" onSelect={() => view.showArchive(!isArchive)}>
          {isArchive ? <ArchiveX size={16} aria-hidden /> : <Archive size={16} aria-hidden />}{' '}
          {isArchive ? t('Back to the chats') : t('Archived ({others})', { others: archived })}
        </DropdownMenu.Item>
      )}
    </>
  );
}

/** Cycles through the themes; the menu stays open to show the result. */
function ThemeItem() {
  const { theme, setTheme } = useShell();
  const at = themes.findIndex(({ name }) => name === theme);
  const next = themes[(at + 1) % themes.length];
  return (
    <DropdownMenu.Item
      {...hostOnly}
      className="menu-item"
      onSelect={(event) => {
        event.preventDefault();
        if (next) setTheme(next.name);
      }}
    >
      <Contrast size={16} aria-hidden /> <span className="menu-item-text">{t('Theme')}</span> <span className="muted small">{themes[at]?.label}</span>
    </DropdownMenu.Item>
  );
}
