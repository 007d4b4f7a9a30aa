// Renders the sidebar: brand, new chat, search, approvals, the chats, and the menu with everything else.
import { PanelLeftClose, Search } from 'lucide-react';
import { use } from 'react';
import { hashOf, useRoute } from '../../kit/hooks.ts';
import { BrandMark } from '../../kit/brand-mark.tsx';
import { ChatList } from './chat-list.tsx';
import { NewChatButton } from './new-chat-button.tsx';
import { SettingsMenu } from './settings-menu.tsx';
import { useListView } from './use-list-view.ts';
import { useShell } from '../../kit/shell-context.ts';
import { SidebarContext } from '../../kit/top-bar.tsx';
import { keysOf, shortcuts } from '../shortcuts.ts';
import { isMac } from '../use-shortcuts.ts';
import { pageAt, routeOf } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { usePermission } from '../../points/use-permission.ts';
import { t } from '../../kit/t.ts';
import './sidebar.css';

export function Sidebar() {
  const { brand } = useShell();
  const sidebar = use(SidebarContext);
  const view = useListView();
  const mayManage = usePermission('chats.manage');
  return (
    <div className="sidebar">
      <div className="sidebar-head">
        <span className="sidebar-brand">
          <BrandMark size={22} />
          <span>{brand}</span>
        </span>
        <span className="sidebar-gap" />
        <button type="button" className="button bare icon" aria-label={t('Hide chats')} aria-expanded onClick={() => sidebar?.toggle()}>
          <PanelLeftClose size={18} aria-hidden />
        </button>
      </div>
      <nav className="sidebar-rows" aria-label={t('Pages')}>
        {mayManage && <NewChatButton />}
        <SearchButton />
        <FirstPages />
      </nav>
      <ChatList view={view} />
      <div className="sidebar-foot">
        <SettingsMenu view={view} />
      </div>
    </div>
  );
}

/** Renders the button that opens the palette for finding chats, pages and commands. */
function SearchButton() {
  const { openDialog } = useShell();
  const sidebar = use(SidebarContext);
  const keys = shortcuts.flatMap((one) => (one.name === 'palette' ? keysOf(one, isMac) : []));
  return (
    <button
      type="button"
      className="sidebar-row"
      onClick={() => {
        sidebar?.leave();
        openDialog('palette');
      }}
    >
      <Search size={18} aria-hidden /> <span className="sidebar-row-text">{t('Search')}</span>
      <kbd className="sidebar-keys" aria-hidden>
        {keys.map((key) => t(key)).join(' ')}
      </kbd>
    </button>
  );
}

/** Renders links to the pages that have their own row in the sidebar. */
function FirstPages() {
  const pages = usePages().filter(({ place }) => place === 'first');
  const current = pageAt(pages, useRoute());
  return pages.map((link) => {
    const { title, icon: Icon, Badge } = link;
    const href = hashOf(routeOf(link));
    return (
      <a key={href} className="sidebar-row" href={href} aria-current={link === current ? 'page' : undefined}>
        <Icon size={18} aria-hidden /> <span className="sidebar-row-text">{t(title)}</span>
        {Badge && <Badge />}
      </a>
    );
  });
}
