// Renders the bar above every page: the button that shows a hidden sidebar, the page title, and the connection state.
import { PanelLeft } from 'lucide-react';
import { createContext, use, type ReactNode } from 'react';
import { t } from './t.ts';
import './top-bar.css';

export interface Sidebar {
  /** Content at the end of the bar, on every page. */
  readonly end: ReactNode;
  readonly isShown: boolean;
  toggle(): void;
  /** Closes an overlay sidebar after the user selected an item. */
  leave(): void;
}

export const SidebarContext = createContext<Sidebar | undefined>(undefined);

/** @param menuLabel label of the button that shows the sidebar */
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
