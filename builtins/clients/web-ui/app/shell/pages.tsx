// The pages beside the chat, each loaded when it is first opened.
import { BarChart3, CircleUser, Puzzle, Search, Settings, type LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import { lazyPart } from './lazy-part.ts';

export interface PageLink {
  readonly page: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
}

export const pages: readonly PageLink[] = [
  { page: 'search', title: 'Search', icon: Search, Page: lazyPart(async () => (await import('../pages/search-page.tsx')).SearchPage) },
  { page: 'usage', title: 'Usage', icon: BarChart3, Page: lazyPart(async () => (await import('../pages/usage-page.tsx')).UsagePage) },
  { page: 'plugins', title: 'Plugins', icon: Puzzle, Page: lazyPart(async () => (await import('../pages/plugins-page.tsx')).PluginsPage) },
  { page: 'settings', title: 'Settings', icon: Settings, Page: lazyPart(async () => (await import('../pages/settings-page.tsx')).SettingsPage) },
  { page: 'account', title: 'Account', icon: CircleUser, Page: lazyPart(async () => (await import('../pages/account-page.tsx')).AccountPage) },
];
