// The side of the page: brand, chats, the other pages, the theme.
import { Keyboard, LayoutGrid, PanelLeftClose } from 'lucide-react';
import { use, useId, useRef, useState, type KeyboardEvent } from 'react';
import { hashOf, useRoute } from '../../kit/hooks.ts';
import { BrandMark } from '../../kit/brand-mark.tsx';
import { ChatList } from './chat-list.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { ThemeButton } from '../../kit/theme-button.tsx';
import { SidebarContext } from '../../kit/top-bar.tsx';
import { pageAt, routeOf, type PageLink } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { t } from '../../kit/t.ts';
import './sidebar.css';

/** So few pages stand beside those that are always shown. */
const mostUnfolded = 2;

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
        <button
          type="button"
          className="button bare icon"
          aria-label={t('Keyboard shortcuts')}
          title={t('Keyboard shortcuts')}
          onClick={() => openDialog('shortcuts')}
        >
          <Keyboard size={18} aria-hidden />
        </button>
        <button type="button" className="button bare icon" aria-label={t('Hide chats')} aria-expanded onClick={() => sidebar?.toggle()}>
          <PanelLeftClose size={18} aria-hidden />
        </button>
      </div>
      <ChatList />
      <PageLinks />
    </div>
  );
}

/** The pages that are wanted at all times, and a place for all others: the height belongs to the chats. */
function PageLinks() {
  const pages = usePages().filter(({ place }) => place === undefined);
  const route = useRoute();
  const current = pageAt(pages, route);
  const address = hashOf(route);
  /** Where the list was opened: it closes as soon as another page is shown. */
  const [openedAt, openAt] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const others = pages.filter(({ isAlwaysShown }) => isAlwaysShown !== true);
  const folded = others.length > mostUnfolded ? others : [];
  // The page itself goes from no chat to the active one; nobody chose that.
  const isSamePage = openedAt === address || (openedAt === hashOf({ page: 'chat' }) && route.page === 'chat');
  const isOpen = isSamePage && folded.length > 0;
  const link = (one: PageLink) => <PageItem key={hashOf(routeOf(one))} link={one} isCurrent={one === current} onChoose={() => openAt(undefined)} />;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    openAt(undefined);
    button.current?.focus();
  }

  return (
    <nav className="sidebar-pages" aria-label={t('Pages')} onKeyDown={onKeyDown}>
      <ul className="sidebar-page-row">
        {pages.filter((one) => !folded.includes(one)).map(link)}
        {folded.length > 0 && (
          <li>
            <button
              ref={button}
              type="button"
              className="sidebar-page"
              aria-expanded={isOpen}
              aria-controls={listId}
              data-on={(current && folded.includes(current)) || undefined}
              onClick={() => openAt(isOpen ? undefined : address)}
            >
              <LayoutGrid size={17} aria-hidden />
              <span className="sidebar-page-title">{t('All pages')}</span>
              {!isOpen && folded.map(({ Badge, title }) => Badge && <Badge key={title} />)}
            </button>
          </li>
        )}
      </ul>
      {folded.length > 0 && (
        <ul id={listId} className="sidebar-page-list" hidden={!isOpen}>
          {folded.map(link)}
        </ul>
      )}
    </nav>
  );
}

interface PageItemProps {
  readonly link: PageLink;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

function PageItem({ link, isCurrent, onChoose }: PageItemProps) {
  const { title, icon: Icon, Badge } = link;
  return (
    <li>
      <a className="sidebar-page" href={hashOf(routeOf(link))} aria-current={isCurrent ? 'page' : undefined} onClick={onChoose}>
        <Icon size={17} aria-hidden />
        <span className="sidebar-page-title">{t(title)}</span>
        {Badge && <Badge />}
      </a>
    </li>
  );
}
