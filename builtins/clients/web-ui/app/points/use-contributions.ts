// Provides hooks that read the contributions to show.
import { use, useMemo } from 'react';
import { ContributionsContext, shownOf, type ChatAction, type Contribution, type ListedKeys, type PageLink, type PaneTab } from './contribution.ts';
import { usePanelContribution } from './panel-contribution.tsx';
import { useViewContribution } from './view-contribution.ts';
import { useClient, useStore } from '../kit/hooks.ts';
import { rightsOf } from './active-plugins.ts';
import { useActivePlugins } from './use-active-plugins.ts';

/** Returns the contributions of active plugins, and the panels of all plugins. */
export function useContributions(): readonly Contribution[] {
  const all = use(ContributionsContext);
  const active = useActivePlugins();
  const panels = usePanelContribution();
  const views = useViewContribution();
  const rights = useStore(rightsOf(useClient()));
  return useMemo(() => shownOf([...all, panels, views], active, rights), [all, active, panels, views, rights]);
}

/** Returns the pages in the order of their links. */
export function usePages(): readonly PageLink[] {
  const contributions = useContributions();
  return useMemo(() => contributions.flatMap(({ pages = [] }) => pages).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)), [contributions]);
}

export function useExtraChatActions(): readonly ChatAction[] {
  const contributions = useContributions();
  return useMemo(() => contributions.flatMap(({ chatActions = [] }) => chatActions), [contributions]);
}

export function useListedKeys(): readonly ListedKeys[] {
  const contributions = useContributions();
  return useMemo(() => contributions.flatMap(({ keys = [] }) => keys), [contributions]);
}

/** Returns the speech output of this page; `undefined` if there is none. */
export function useSpokenOutput(): Contribution['spokenOutput'] {
  return useContributions().find(({ spokenOutput }) => spokenOutput !== undefined)?.spokenOutput;
}

/** Returns the tabs of the pane, in order. */
export function usePaneTabs(): readonly PaneTab[] {
  const contributions = useContributions();
  return useMemo(() => contributions.flatMap(({ paneTabs = [] }) => paneTabs).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)), [contributions]);
}
