// Stores unsent text per browser tab, and hands it over to the next tab when the tab is closed.
export interface DraftStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface DraftStores {
  /** Storage of this tab; two tabs with the same chat have two drafts. Access throws if the browser forbids storage. */
  readonly tab: () => DraftStorage;
  /** Storage that all tabs share; contains only drafts of closed tabs. */
  readonly left: () => DraftStorage;
}

const beginning = 'draft:';
const keyOf = (id: string): string => `${beginning}${id}`;
const longestLeftMs = 30 * 86_400_000;

/** @param id id of a chat or a question */
export function readDraft({ tab, left }: DraftStores, id: string): string {
  try {
    const own = tab().getItem(keyOf(id));
    if (own !== null) return own;
    const [, text = ''] = leftDraft(left().getItem(keyOf(id)));
    if (text === '') return '';
    // Also removes the draft for other tabs.
    left().removeItem(keyOf(id));
    tab().setItem(keyOf(id), text);
    return text;
  } catch {
    return ''; // the browser provides no storage
  }
}

export function writeDraft({ tab }: Pick<DraftStores, 'tab'>, id: string, text: string): void {
  try {
    if (text === '') tab().removeItem(keyOf(id));
    else tab().setItem(keyOf(id), text);
  } catch {
    // The storage is full or forbidden; the text is still in the field.
  }
}

/** Copies the drafts of a closing or reloading tab to the shared storage. @param now time in milliseconds */
export function leaveDrafts({ tab, left }: DraftStores, now: number): void {
  try {
    for (const key of draftKeys(tab())) left().setItem(key, `${now} ${tab().getItem(key) ?? ''}`);
  } catch {
    // The shared storage is full or forbidden; the tab keeps its drafts.
  }
}

/** Removes from the shared storage the drafts that this tab still has, and drafts that no tab has opened for 30 days. */
export function reclaimDrafts({ tab, left }: DraftStores, now: number): void {
  try {
    for (const key of draftKeys(left())) {
      const [at] = leftDraft(left().getItem(key));
      if (tab().getItem(key) !== null || now - at > longestLeftMs) left().removeItem(key);
    }
  } catch {
    // No drafts are stored.
  }
}

const draftKeys = (kept: DraftStorage): string[] =>
  Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? '').filter((key) => key.startsWith(beginning));

function leftDraft(text: string | null): readonly [at: number, text?: string] {
  const [, at, draft] = /^(\d+) (.*)$/s.exec(text ?? '') ?? [];
  return at === undefined || draft === undefined ? [0] : [Number(at), draft];
}
