// Stores the state of the pane beside the chats: whether it is open, its selected tab, and the target of each tab.
import type { Client } from 'agent-harness/client';
import { perObject } from '../kit/per-object.ts';
import { createValue, type ValueStore } from '../kit/value-store.ts';
import type { PaneTarget } from './contribution.ts';

export interface PaneState {
  readonly isOpen: boolean;
  /** Default: the first available tab. */
  readonly tab?: string;
  /** The last target of each tab. */
  readonly targets: Readonly<Record<string, PaneTarget>>;
}

/** Below this width, the pane is a sheet over the page and is initially closed. */
export const narrow = '(max-width: 1023px)';

/** Storage key of the user's choice. */
const key = 'pane';

export const paneOf = perObject('pane', (_: Client): ValueStore<PaneState> => createValue<PaneState>({ isOpen: isLeftOpen(), targets: {} }));

const isLeftOpen = (): boolean => localStorage.getItem(key) === 'shown' && !matchMedia(narrow).matches;

/** @param what target of that tab; default: the tab keeps its content */
export function openPane(client: Client, tab?: string, what?: string): void {
  const pane = paneOf(client);
  const now = pane.get();
  pane.set({
    ...{ ...now, isOpen: true },
    ...(tab === undefined ? {} : { tab }),
    ...(tab === undefined || what === undefined ? {} : { targets: { ...now.targets, [tab]: { what } } }),
  });
}

/** Toggles the pane on behalf of the user. The choice is stored, so that a closed pane stays closed. */
export function togglePane(client: Client): void {
  const pane = paneOf(client);
  const isOpen = !pane.get().isOpen;
  if (!matchMedia(narrow).matches) localStorage.setItem(key, isOpen ? 'shown' : 'hidden');
  pane.set({ ...pane.get(), isOpen });
}
