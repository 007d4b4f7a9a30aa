// Provides the panels of plugins to components.
import { useClient, useStore } from '../kit/hooks.ts';
import { panelStoreOf, type Panel, type PanelsState } from './panel-store.ts';

export type { Panel, PanelsState } from './panel-store.ts';

/** Returns all panels, in any slot. */
export function usePanels(): readonly Panel[] {
  return usePanelsState().rows;
}

export function usePanelsState(): PanelsState {
  return useStore(panelStoreOf(useClient()));
}
