// The pane beside the chats: whether it is open, at which tab, and for what. Anybody may open it.
import type { Client } from 'agent-harness/client';
import { perObject } from '../kit/per-object.ts';
import { createValue, type ValueStore } from '../kit/value-store.ts';
import type { PaneTarget } from './contribution.ts';

export interface PaneState {
  readonly isOpen: boolean;
  /** Left out: the first one that is there. */
  readonly tab?: string;
  /** What each tab was last opened for. */
  readonly targets: Readonly<Record<string, PaneTarget>>;
}

/** Below it the pane is a sheet over the page, which nobody finds open. */
export const narrow = '(max-width: 1023px)';

/** Where a person left it open or closed it. */
const key = 'pane';

export const paneOf = perObject('pane', (_: Client): ValueStore<PaneState> => createValue<PaneState>({ isOpen: isLeftOpen(), targets: {} }));

const isLeftOpen = (): boolean => localStorage.getItem(key) === 'shown' && !matchMedia(narrow).matches;

/** @param what that tab is to show; left out, it shows what it showed */
export function openPane(client: Client, tab?: string, what?: string): void {
  const pane = paneOf(client);
  const now = pane.get();
  pane.set({
    ...{ ...now, isOpen: true },
    ...(tab === undefined ? {} : { tab }),
    ...(tab === undefined || what === undefined ? {} : { targets: { ...now.targets, [tab]: { what } } }),
  });
}

/** As a person does it: remembered, so that what they closed stays closed. */
export function togglePane(client: Client): void {
  const pane = paneOf(client);
  const isOpen = !pane.get().isOpen;
  if (!matchMedia(narrow).matches) localStorage.setItem(key, isOpen ? 'shown' : 'hidden');
  pane.set({ ...pane.get(), isOpen });
}
