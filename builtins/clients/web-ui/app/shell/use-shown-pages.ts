// The pages whose plugin is there.
import { useMemo } from 'react';
import { pages, type PageLink } from './pages.tsx';
import { useActivePlugins } from './use-active-plugins.ts';

export function useShownPages(): readonly PageLink[] {
  const active = useActivePlugins();
  return useMemo(() => pages.filter(({ plugin }) => plugin === undefined || active.has(plugin)), [active]);
}
