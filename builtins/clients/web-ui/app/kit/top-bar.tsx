// The line above every page: the way to the chats where they are hidden, what the page says, how things stand.
import { PanelLeft } from 'lucide-react';
import { createContext, use, type ReactNode } from 'react';
import { t } from './t.ts';
import './top-bar.css';

export interface Sidebar {
  /** What stands at the end of the line on every page. */
  readonly end: ReactNode;
  readonly isShown: boolean;
  toggle(): void;
  /** Something was chosen in it: where it lies over the page, it goes. */
  leave(): void;
}

export const SidebarContext = createContext<Sidebar | undefined>(undefined);

/** @param menuLabel of the button that shows the side of the page */
export function TopBar({ menuLabel = t('Show chats'), children }: { readonly menuLabel?: string; readonly children?: ReactNode }) {
  const sidebar = use(SidebarContext);
  return (
    <header className="top-bar">
      {sidebar && !sidebar.isShown && (
        <button type="button" className="button bare icon" aria-label={menuLabel} aria-expanded={false} onClick={sidebar.toggle}>
          <PanelLeft size={18} aria-hidden />
        </button>
      )}
      <div className="top-bar-middle">{children}</div>
      {sidebar?.end}
    </header>
  );
}
