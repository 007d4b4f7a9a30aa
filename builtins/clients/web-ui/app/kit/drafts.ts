// Stores unsent text for the lifetime of the tab.
export interface KeptDrafts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const keyOf = (id: string): string => `draft:${id}`;

/**
 * @param id of a chat or of a question
 * @param kept called each time: even accessing the storage throws if a browser forbids it
 */
export function readDraft(kept: () => KeptDrafts, id: string): string {
  try {
    return kept().getItem(keyOf(id)) ?? '';
  } catch {
    return ''; // a browser without storage
  }
}

export function writeDraft(kept: () => KeptDrafts, id: string, text: string): void {
  try {
    if (text === '') kept().removeItem(keyOf(id));
    else kept().setItem(keyOf(id), text);
  } catch {
    // Full or forbidden: the text is still in the field.
  }
}
