// Reads the selected words in a conversation, a question or a view, with their location.
export interface SelectedText {
  readonly text: string;
  /** The message or call that contains the words, as the value of the view's parameter `about`; empty if unknown. */
  readonly about: string;
  /** Position in pixels, relative to the window. */
  readonly rect: DOMRect;
}

const places = '[data-entry-id], [data-decision], [data-view]';
const kinds: Readonly<Record<string, string>> = { user: 'message', assistant: 'message', announcement: 'message', tool: 'call' };
/** Maximum length of a text parameter in the view. */
const longest = 1_000;

/** Returns the selected words; `undefined` unless the whole selection is inside one element of a conversation, question or view. */
export function readSelectedText(): SelectedText | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const place = placeOf(range.startContainer);
  const text = selection.toString().trim();
  if (!place || !endsIn(place, range) || !/[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(text)) return undefined;
  return { text: text.slice(0, longest), about: aboutOf(place), rect: range.getBoundingClientRect() };
}

/** Returns the subject that a whole element represents. */
export function aboutOf(place: Element): string {
  const { entryId, kind = '' } = (place as HTMLElement).dataset;
  const of = kinds[kind];
  return entryId === undefined || of === undefined ? '' : `${of} ${entryId}`;
}

export function placeOf(node: Node | null): Element | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest(places) ?? undefined;
}

/** Returns whether the selection ends in the element; a triple click selects up to the beginning of the next element. */
function endsIn(place: Element, range: Range): boolean {
  if (place.contains(range.endContainer)) return true;
  const beyond = range.cloneRange();
  beyond.setStartAfter(place);
  return beyond.toString().trim() === '';
}
