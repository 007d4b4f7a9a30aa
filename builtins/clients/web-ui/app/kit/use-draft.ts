// Stores a text field's value, which survives leaving the chat, reloading the page and closing the tab.
import { useCallback, useState } from 'react';
import { leaveDrafts, readDraft, reclaimDrafts, writeDraft } from './drafts.ts';

const stores = { tab: (): Storage => sessionStorage, left: (): Storage => localStorage };

// Includes a page that the browser cached whole and shows again.
addEventListener('pagehide', () => leaveDrafts(stores, Date.now()));
addEventListener('pageshow', () => reclaimDrafts(stores, Date.now()));
reclaimDrafts(stores, Date.now());

/** @param id must be constant for the lifetime of the component: give the component a key */
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
