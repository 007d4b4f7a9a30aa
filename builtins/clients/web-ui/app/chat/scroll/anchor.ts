// Computes the scroll position of the message list from its anchor: the end of the list, or a row. Pure.

/**
 * Where the list is anchored. `offset`: pixels from the top of the row to the top of the viewport; negative if the row begins further down.
 * `isTarget`: the list jumped to the row, which stays the anchor near the end, because its height may still be an estimate.
 */
export type Anchor = { readonly at: 'end' } | { readonly at: 'row'; readonly key: string; readonly offset: number; readonly isTarget?: true };

/** The current layout of the list, in pixels. */
export interface View {
  /** Total height of the rows, and height of the viewport. */
  readonly size: number;
  readonly viewport: number;
  /** Returns the row at an offset; `undefined` if there is none. */
  rowAt(offset: number): { readonly key: string; readonly top: number } | undefined;
  /** Returns the top of a row in pixels; `undefined` if the row does not exist or no longer exists. */
  topOf(key: string): number | undefined;
}

export type Input =
  /** The list was scrolled. `written`: the position that was last set by code. */
  | { readonly kind: 'scroll'; readonly offset: number; readonly written: number; readonly view: View }
  /** The user pressed something in the list; expanded content must not push it out of view. */
  | { readonly kind: 'press'; readonly offset: number; readonly view: View }
  /** The number or size of the rows, or the size of the list, changed. */
  | { readonly kind: 'layout'; readonly view: View }
  | { readonly kind: 'to-end' }
  /** Jumps to a row and leaves a third of the viewport above it. */
  | { readonly kind: 'to-row'; readonly key: string; readonly viewport: number };

export const end: Anchor = { at: 'end' };
/** Distance from the end, in pixels, that still counts as the end. */
const near = 48;
/** Tolerance in pixels, because browsers round scroll positions. */
const slack = 1;

export function next(anchor: Anchor, input: Input): Anchor {
  switch (input.kind) {
    case 'to-end':
      return end;
    case 'to-row':
      return { at: 'row', key: input.key, offset: -Math.round(input.viewport / 3), isTarget: true };
    case 'layout': {
      if (anchor.at === 'row' && anchor.isTarget) return anchor;
      const top = topOf(anchor, input.view);
      return top !== undefined && isNearEnd(top, input.view) ? end : anchor;
    }
    case 'press':
      return anchor.at === 'end' ? rowAt(input.offset, input.view) : anchor;
    case 'scroll':
      if (Math.abs(input.offset - input.written) <= slack) return anchor;
      return isNearEnd(input.offset, input.view) ? end : rowAt(input.offset, input.view);
  }
}

/** Returns the target scroll position; `undefined` if the row no longer exists. */
export function offsetOf(anchor: Anchor, view: View): number | undefined {
  const most = Math.max(0, view.size - view.viewport);
  const top = anchor.at === 'end' ? most : topOf(anchor, view);
  return top === undefined ? undefined : Math.min(most, Math.max(0, top));
}

/** Returns whether the target position differs from the current one. */
export const isElsewhere = (offset: number, wanted: number): boolean => Math.abs(offset - wanted) >= slack;

function topOf(anchor: Anchor, view: View): number | undefined {
  if (anchor.at === 'end') return undefined;
  const top = view.topOf(anchor.key);
  return top === undefined ? undefined : top + anchor.offset;
}

/** Returns whether the offset is at the end, or so close that it counts as the end. */
export function isNearEnd(offset: number, { size, viewport }: Pick<View, 'size' | 'viewport'>): boolean {
  return size - viewport - offset <= near;
}

function rowAt(offset: number, view: View): Anchor {
  const row = view.rowAt(offset);
  return row ? { at: 'row', key: row.key, offset: offset - row.top } : end;
}
