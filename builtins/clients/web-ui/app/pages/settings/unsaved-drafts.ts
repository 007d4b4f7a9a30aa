// Stores unsaved settings while another page is shown.
import { useSyncExternalStore } from 'react';
import type { Drafts } from './setting-drafts.ts';

let drafts: Drafts = new Map();
const listeners = new Set<() => void>();

const readDrafts = (): Drafts => drafts;

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function storeDrafts(change: (before: Drafts) => Drafts): void {
  drafts = change(drafts);
  for (const listener of listeners) listener();
}

export function useDrafts(): Drafts {
  return useSyncExternalStore(watch, readDrafts);
}
