// Defines the pages of the platform. Each is loaded when it is first opened.
import { CircleUser, Inbox, Plug, Puzzle, Search, Settings, Trash2, Users } from 'lucide-react';
import { lazyPart } from '../kit/lazy-part.ts';
import type { Contribution } from '../points/contribution.ts';
import { WaitingCount } from './waiting/waiting-count.tsx';
import { useClient, useStore } from '../kit/hooks.ts';
import { tn, t } from '../kit/t.ts';
import './plugins/fault-count.css';
import { useDrafts } from './settings/unsaved-drafts.ts';
import './settings/unsaved-mark.css';

const ConnectionsPage = lazyPart(async () => (await import('./connections/connections-page.tsx')).ConnectionsPage);

export const platformPages: readonly Contribution[] = [
  {
    messageTools: [
      {
        title: 'Turn usage',
        permission: 'usage.read',
        Tool: lazyPart(async () => (await import('./usage/turn-cost.tsx')).TurnCost),
      },
    ],
    parts: [
      {
        slot: 'over-composer',
        title: 'Model shutdown',
        order: -10,
        permission: 'settings.read',
        Part: lazyPart(async () => (await import('./shutdown-line.tsx')).ShutdownLine),
      },
    ],
    pages: [
      {
        page: 'waiting',
        title: 'Approvals',
        words: 'inbox decisions approvals questions pending',
        icon: Inbox,
        order: 5,
        place: 'first',
        permission: 'approvals.read',
        Badge: WaitingCount,
        Page: lazyPart(async () => (await import('./waiting/waiting-page.tsx')).WaitingPage),
      },
      {
        page: 'search',
        title: 'Search messages',
        icon: Search,
        order: 10,
        isForGuests: true,
        permission: 'chats.read',
        Page: lazyPart(async () => (await import('./search/search-page.tsx')).SearchPage),
      },
      {
        page: 'team',
        title: 'Team',
        words: 'colleagues members',
        icon: Users,
        order: 25,
        slot: 'team',
        Page: lazyPart(async () => (await import('./team/team-page.tsx')).TeamPage),
      },
      {
        page: 'plugins',
        title: 'Plugins',
        words: 'extensions addons mods',
        icon: Puzzle,
        order: 2,
        Badge: FaultCount,
        Page: lazyPart(async () => (await import('./plugins/plugins-page.tsx')).PluginsPage),
      },
      {
        page: 'settings',
        title: 'Settings',
        icon: Settings,
        order: 1,
        Badge: UnsavedMark,
        Page: lazyPart(async () => (await import('./settings/settings-page.tsx')).SettingsPage),
      },
      {
        page: 'account',
        title: 'Account',
        words: 'sign in login licence subscription plan log out',
        icon: CircleUser,
        order: 70,
        slot: 'account',
        Page: lazyPart(async () => (await import('./account/account-page.tsx')).AccountPage),
      },
      {
        page: 'trash',
        title: 'Trash',
        words: 'deleted restore bin',
        icon: Trash2,
        order: 80,
        place: 'chats',
        Page: lazyPart(async () => (await import('./trash/trash-page.tsx')).TrashPage),
      },
    ],
  },
  {
    plugin: 'connections',
    pages: [
      {
        page: 'connections',
        title: 'Connections',
        words: 'mcp servers openapi integrations devices phone pair tokens',
        icon: Plug,
        order: 30,
        Page: ConnectionsPage,
      },
    ],
  },
];

/** Renders the number of reported errors beside the link to their page. */
function FaultCount() {
  const { length } = useStore(useClient().faults);
  if (length === 0) return null;
  return (
    <span className="fault-count">
      {length}
      <span className="visually-hidden">{` ${tn(length, 'fault', 'faults')}`}</span>
    </span>
  );
}

/** Renders the indicator for unsaved changes beside the link to the settings. */
function UnsavedMark() {
  if (useDrafts().size === 0) return null;
  return (
    <span className="unsaved-mark" title={t('Unsaved changes')}>
      <span className="visually-hidden">, {t('unsaved changes')}</span>
    </span>
  );
}
