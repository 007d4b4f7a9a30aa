// The side of the page: brand, chats, the other pages, the theme.
import { Keyboard, PanelLeftClose } from 'lucide-react';
import { use } from 'react';
import { hashOf, useRoute } from '../../kit/hooks.ts';
import { BrandMark } from '../../kit/brand-mark.tsx';
import { ChatList } from './chat-list.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { ThemeButton } from '../../kit/theme-button.tsx';
import { SidebarContext } from '../../kit/top-bar.tsx';
import { pageAt, routeOf } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import './sidebar.css';

export function Sidebar() {
  const { brand, openDialog } = useShell();
  const sidebar = use(SidebarContext);
  return (
    <div className="sidebar">
      <div className="sidebar-head">
        <a className="sidebar-brand" href={hashOf({ page: 'chat' })}>
          <BrandMark size={26} />
          <span>{brand}</span>
        </a>
        <span className="sidebar-gap" />
        <ThemeButton />
        <button type="button" className="button bare icon" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" onClick={() => openDialog('shortcuts')}>
          <Keyboard size={18} aria-hidden />
        </button>
        <button type="button" className="button bare icon" aria-label="Hide chats" aria-expanded onClick={() => sidebar?.toggle()}>
          <PanelLeftClose size={18} aria-hidden />
        </button>
      </div>
      <ChatList />
      <PageLinks />
    </div>
  );
}

function PageLinks() {
  const pages = usePages().filter(({ place }) => place === undefined);
  const current = pageAt(pages, useRoute());
  return (
    <nav className="sidebar-pages" aria-label="Pages">
      <ul>
        {pages.map((link) => {
          const { title, icon: Icon, Badge } = link;
          const address = hashOf(routeOf(link));
          return (
            <li key={address}>
              <a href={address} aria-current={link === current ? 'page' : undefined}>
                <Icon size={17} aria-hidden />
                <span className="sidebar-page-title">{title}</span>
                {Badge && <Badge />}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
