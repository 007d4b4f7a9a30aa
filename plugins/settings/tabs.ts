// Defines the tabs of the settings page: seven fixed tabs, then those that plugins contribute.
import type { PointHandler } from 'agent-harness/kernel';
import type { SettingsTab } from './contract.ts';

export interface Tabs {
  list(): SettingsTab[];
  readonly point: PointHandler<SettingsTab>;
}

const fixedTabs: readonly SettingsTab[] = [
  { id: 'models_api', title: 'Models & API' },
  { id: 'session_ui', title: 'Session & UI' },
  { id: 'memory_vault', title: 'Memory & vault' },
  { id: 'web_research', title: 'Web' },
  { id: 'safety', title: 'Safety & approvals' },
  { id: 'harness', title: 'Harness behaviour' },
  { id: 'advanced', title: 'Advanced' },
];

export function createTabs(): Tabs {
  const added: SettingsTab[] = [];
  return {
    list: () => [...fixedTabs, ...added].map(({ id, title }) => ({ id, title })),
    point: {
      validate(tab) {
        if (!/^[a-z][a-z0-9_]*$/.test(tab.id)) return `the tab id '${tab.id}' must be snake_case.`;
        return [...fixedTabs, ...added].some((one) => one.id === tab.id) ? `there is a tab '${tab.id}' already.` : undefined;
      },
      added: (tab) => void added.push(tab),
      removed: (tab) => void added.splice(added.indexOf(tab), 1),
    },
  };
}
