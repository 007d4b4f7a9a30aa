// The pages of the platform, each loaded when it is first opened.
import { BarChart3, CircleUser, Plug, Puzzle, Search, Settings, Trash2, Users } from 'lucide-react';
import { lazyPart } from '../kit/lazy-part.ts';
import type { Contribution } from '../points/contribution.ts';
import { FaultCount } from './plugins/fault-count.tsx';
import { UnsavedMark } from './settings/unsaved-mark.tsx';

const ConnectionsPage = lazyPart(async () => (await import('./connections/connections-page.tsx')).ConnectionsPage);

export const platformPages: readonly Contribution[] = [
  {
    pages: [
      { page: 'search', title: 'Search', icon: Search, order: 10, Page: lazyPart(async () => (await import('./search/search-page.tsx')).SearchPage) },
      {
        page: 'team',
        title: 'Team',
        icon: Users,
        order: 25,
        slot: 'team',
        Page: lazyPart(async () => (await import('./team/team-page.tsx')).TeamPage),
      },
      { page: 'usage', title: 'Usage', icon: BarChart3, order: 40, Page: lazyPart(async () => (await import('./usage/usage-page.tsx')).UsagePage) },
      {
        page: 'plugins',
        title: 'Plugins',
        icon: Puzzle,
        order: 50,
        Badge: FaultCount,
        Page: lazyPart(async () => (await import('./plugins/plugins-page.tsx')).PluginsPage),
      },
      {
        page: 'settings',
        title: 'Settings',
        icon: Settings,
        order: 60,
        Badge: UnsavedMark,
        Page: lazyPart(async () => (await import('./settings/settings-page.tsx')).SettingsPage),
      },
      {
        page: 'account',
        title: 'Account',
        icon: CircleUser,
        order: 70,
        slot: 'account',
        Page: lazyPart(async () => (await import('./account/account-page.tsx')).AccountPage),
      },
      {
        page: 'trash',
        title: 'Trash',
        icon: Trash2,
        order: 80,
        place: 'chats',
        Page: lazyPart(async () => (await import('./trash/trash-page.tsx')).TrashPage),
      },
    ],
  },
  { plugin: 'connections', pages: [{ page: 'connections', title: 'Connections', icon: Plug, order: 30, Page: ConnectionsPage }] },
];
