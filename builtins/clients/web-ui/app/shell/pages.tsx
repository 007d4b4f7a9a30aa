// The pages beside the chat, each loaded when it is first opened.
import { BarChart3, CircleUser, Puzzle, Search, Settings, type LucideIcon } from 'lucide-react';
import { lazy, type ComponentType } from 'react';

export interface PageLink {
  readonly page: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
}

export const pages: readonly PageLink[] = [
  { page: 'search', title: 'Search', icon: Search, Page: lazy(async () => ({ default: (await import('../pages/search-page.tsx')).SearchPage })) },
  { page: 'usage', title: 'Usage', icon: BarChart3, Page: lazy(async () => ({ default: (await import('../pages/usage-page.tsx')).UsagePage })) },
  { page: 'plugins', title: 'Plugins', icon: Puzzle, Page: lazy(async () => ({ default: (await import('../pages/plugins-page.tsx')).PluginsPage })) },
  { page: 'settings', title: 'Settings', icon: Settings, Page: lazy(async () => ({ default: (await import('../pages/settings-page.tsx')).SettingsPage })) },
  { page: 'account', title: 'Account', icon: CircleUser, Page: lazy(async () => ({ default: (await import('../pages/account-page.tsx')).AccountPage })) },
];
