// The pages beside the chat, each loaded when it is first opened.
import { BarChart3, Brain, CircleUser, FileDiff, Plug, Puzzle, Search, Settings, Trash2 } from 'lucide-react';
import { lazyPart } from '../kit/lazy-part.ts';
import type { PageLink } from '../points/page.ts';
import { FaultCount } from './plugins/fault-count.tsx';
import { UnsavedMark } from './settings/unsaved-mark.tsx';

export const pages: readonly PageLink[] = [
  { page: 'search', title: 'Search', icon: Search, Page: lazyPart(async () => (await import('./search/search-page.tsx')).SearchPage) },
  {
    page: 'memory',
    title: 'Memory',
    icon: Brain,
    plugin: 'memory',
    Page: lazyPart(async () => (await import('./memory/memory-page.tsx')).MemoryPage),
  },
  {
    page: 'connections',
    title: 'Connections',
    icon: Plug,
    plugin: 'connections',
    Page: lazyPart(async () => (await import('./connections/connections-page.tsx')).ConnectionsPage),
  },
  { page: 'usage', title: 'Usage', icon: BarChart3, Page: lazyPart(async () => (await import('./usage/usage-page.tsx')).UsagePage) },
  { page: 'plugins', title: 'Plugins', icon: Puzzle, Badge: FaultCount, Page: lazyPart(async () => (await import('./plugins/plugins-page.tsx')).PluginsPage) },
  {
    page: 'settings',
    title: 'Settings',
    icon: Settings,
    Badge: UnsavedMark,
    Page: lazyPart(async () => (await import('./settings/settings-page.tsx')).SettingsPage),
  },
  { page: 'account', title: 'Account', icon: CircleUser, Page: lazyPart(async () => (await import('./account/account-page.tsx')).AccountPage) },
  { page: 'trash', title: 'Trash', icon: Trash2, place: 'chats', Page: lazyPart(async () => (await import('./trash/trash-page.tsx')).TrashPage) },
  { page: 'changes', title: 'Changes', icon: FileDiff, place: 'chat', Page: lazyPart(async () => (await import('./changes/changes-page.tsx')).ChangesPage) },
];
