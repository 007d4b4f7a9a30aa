// How the parts of the page read what is shown in them now.
import { use, useMemo } from 'react';
import { ContributionsContext, shownOf, type ChatAction, type Contribution, type ListedKeys, type PageLink } from './contribution.ts';
import { usePanelContribution } from './panel-contribution.tsx';
import { useActivePlugins } from './use-active-plugins.ts';

/** What the page brings for active plugins, and what plugins from anywhere bring as panels. */
export function useContributions(): readonly Contribution[] {
  const all = use(ContributionsContext);
  const active = useActivePlugins();
  const panels = usePanelContribution();
  return useMemo(() => shownOf([...all, panels], active), [all, active, panels]);
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
