// Stores the value of a text field, which survives leaving the chat, reloading the page and closing the tab.
import { useCallback, useState } from 'react';
import { leaveDrafts, readDraft, reclaimDrafts, writeDraft } from './drafts.ts';

const stores = { tab: (): Storage => sessionStorage, left: (): Storage => localStorage };

// Also covers a page that the browser restores from its back/forward cache.
addEventListener('pagehide', () => leaveDrafts(stores, Date.now()));
addEventListener('pageshow', () => reclaimDrafts(stores, Date.now()));
reclaimDrafts(stores, Date.now());

/** Removes a draft whose field may not be mounted. */
export const dropDraft = (id: string): void => writeDraft(stores, id, '');

/** @param id must be constant for the lifetime of the component: also pass it as the component's key */
export function useDraft(id: string): [text: string, setText: (text: string) => void] {
  const [text, show] = useState(() => readDraft(stores, id));
  const setText = useCallback(
    (next: string) => {
      writeDraft(stores, id, next);
      show(next);
    },
    [id],
  );
  return [text, setText];
}
