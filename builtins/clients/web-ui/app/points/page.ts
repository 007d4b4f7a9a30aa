// The pages of the window: what a room contributes, and how the frame reads which there are now.
import type { LucideIcon } from 'lucide-react';
import { createContext, use, useMemo, type ComponentType } from 'react';
import { useActivePlugins } from './use-active-plugins.ts';

export interface PageLink {
  /** Its address is `#/<page>`. */
  readonly page: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
  /** Stands after the title in the navigation. */
  readonly Badge?: ComponentType;
  /** Where its link stands: among the pages, where left out; under the chats; in the menu of a chat, whose id its address has. */
  readonly place?: 'chats' | 'chat';
  /** The page is there only while this plugin is active. */
  readonly plugin?: string;
}

/** All that the window brings, whether their plugins are active or not. */
export const PagesContext = createContext<readonly PageLink[]>([]);

/** Those whose plugin is active. */
export function usePages(): readonly PageLink[] {
  const pages = use(PagesContext);
  const active = useActivePlugins();
  return useMemo(() => pages.filter(({ plugin }) => plugin === undefined || active.has(plugin)), [pages, active]);
}
