// The side of the page: brand, chats, the other pages, the theme.
import { Keyboard, PanelLeftClose, PanelsTopLeft } from 'lucide-react';
import { use } from 'react';
import { hashOf, useRoute } from '../hooks.ts';
import { useDrafts } from '../pages/settings/kept-drafts.ts';
import { usePanels } from '../panels/use-panels.ts';
import { BrandMark } from './brand-mark.tsx';
import { ChatList } from './chat-list.tsx';
import { FaultCount } from './fault-count.tsx';
import { useShell } from './shell-context.ts';
import { ThemeButton } from './theme-button.tsx';
import { SidebarContext } from './top-bar.tsx';
import { useShownPages } from './use-shown-pages.ts';
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
  const route = useRoute();
  const pages = useShownPages().filter(({ isBesideChats }) => isBesideChats !== true);
  const unsaved = useDrafts().size;
  const panels = usePanels().filter(({ slot }) => slot === 'panel');
  return (
    <nav className="sidebar-pages" aria-label="Pages">
      <ul>
        {panels.map(({ id, title, icon }) => (
          <li key={id}>
            <a href={hashOf({ page: 'panel', id })} aria-current={route.page === 'panel' && route.id === id ? 'page' : undefined}>
              {icon === undefined ? (
                <PanelsTopLeft size={17} aria-hidden />
              ) : (
                <span className="sidebar-sign" aria-hidden>
                  {icon}
                </span>
              )}
              <span className="sidebar-page-title">{title}</span>
            </a>
          </li>
        ))}
        {pages.map(({ page, title, icon: Icon }) => (
          <li key={page}>
            <a href={hashOf({ page })} aria-current={route.page === page ? 'page' : undefined}>
              <Icon size={17} aria-hidden />
              <span className="sidebar-page-title">{title}</span>
              {page === 'plugins' && <FaultCount />}
              {page === 'settings' && unsaved > 0 && (
                <span className="sidebar-unsaved" title="Changes that are not saved">
                  <span className="visually-hidden">, changes that are not saved</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
