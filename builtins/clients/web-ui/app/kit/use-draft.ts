// Text field state that survives leaving the chat and reloading the page.
import { useCallback, useState } from 'react';
import { readDraft, writeDraft } from './drafts.ts';

const kept = (): Storage => sessionStorage;

/** @param id must be constant for the lifetime of the component: give the component a key */
export function useDraft(id: string): [text: string, setText: (text: string) => void] {
  const [text, show] = useState(() => readDraft(kept, id));
  const setText = useCallback(
    (next: string) => {
      writeDraft(kept, id, next);
      show(next);
    },
    [id],
  );
  return [text, setText];
}
