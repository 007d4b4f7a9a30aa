// How the parts of the page read what is shown in them now.
import { use, useMemo } from 'react';
import { ContributionsContext, shownOf, type ChatAction, type Contribution, type ListedKeys, type PageLink, type PaneTab } from './contribution.ts';
import { usePanelContribution } from './panel-contribution.tsx';
import { useViewContribution } from './view-contribution.ts';
import { useClient, useStore } from '../kit/hooks.ts';
import { rightsOf } from './active-plugins.ts';
import { useActivePlugins } from './use-active-plugins.ts';

/** What the page brings for active plugins, and what plugins from anywhere bring as panels. */
export function useContributions(): readonly Contribution[] {
  const all = use(ContributionsContext);
  const active = useActivePlugins();
  const panels = usePanelContribution();
  const views = useViewContribution();
  const rights = useStore(rightsOf(useClient()));
  return useMemo(() => shownOf([...all, panels, views], active, rights), [all, active, panels, views, rights]);
}

/** In the order of their links. */
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

/** How this page speaks aloud; `undefined` where nothing of it does. */
export function useSpokenOutput(): Contribution['spokenOutput'] {
  return useContributions().find(({ spokenOutput }) => spokenOutput !== undefined)?.spokenOutput;
}

/** In their order. */
export function usePaneTabs(): readonly PaneTab[] {
  const contributions = useContributions();
  return useMemo(() => contributions.flatMap(({ paneTabs = [] }) => paneTabs).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)), [contributions]);
}
