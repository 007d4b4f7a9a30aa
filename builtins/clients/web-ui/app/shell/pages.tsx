// The pages beside the chat, each loaded when it is first opened.
import { BarChart3, Brain, CircleUser, Plug, Puzzle, Search, Settings, Trash2, type LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import { lazyPart } from './lazy-part.ts';

export interface PageLink {
  readonly page: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
  /** Its link stands under the chats, not among the pages. */
  readonly isBesideChats?: boolean;
  /** The page is there only while this one is active. */
  readonly plugin?: string;
}

export const pages: readonly PageLink[] = [
  { page: 'search', title: 'Search', icon: Search, Page: lazyPart(async () => (await import('../pages/search-page.tsx')).SearchPage) },
  {
    page: 'memory',
    title: 'Memory',
    icon: Brain,
    plugin: 'memory',
    Page: lazyPart(async () => (await import('../pages/memory-page.tsx')).MemoryPage),
  },
  {
    page: 'connections',
    title: 'Connections',
    icon: Plug,
    plugin: 'connections',
    Page: lazyPart(async () => (await import('../pages/connections-page.tsx')).ConnectionsPage),
  },
  { page: 'usage', title: 'Usage', icon: BarChart3, Page: lazyPart(async () => (await import('../pages/usage-page.tsx')).UsagePage) },
  { page: 'plugins', title: 'Plugins', icon: Puzzle, Page: lazyPart(async () => (await import('../pages/plugins-page.tsx')).PluginsPage) },
  { page: 'settings', title: 'Settings', icon: Settings, Page: lazyPart(async () => (await import('../pages/settings-page.tsx')).SettingsPage) },
  { page: 'account', title: 'Account', icon: CircleUser, Page: lazyPart(async () => (await import('../pages/account-page.tsx')).AccountPage) },
  { page: 'trash', title: 'Trash', icon: Trash2, isBesideChats: true, Page: lazyPart(async () => (await import('../pages/trash-page.tsx')).TrashPage) },
];

/** Belongs to a chat, so it stands in its menu and not beside the others. */
export const ChangesPage = lazyPart(async () => (await import('../pages/changes-page.tsx')).ChangesPage);
