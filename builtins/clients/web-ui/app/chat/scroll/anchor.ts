// What the list holds on to: its end, or a row. Pure.

/** `offset`: pixels from the top of the row to the top of what is seen; negative where the row begins further down. */
export type Anchor = { readonly at: 'end' } | { readonly at: 'row'; readonly key: string; readonly offset: number };

/** The list as it is laid out now, in pixels. */
export interface View {
  /** Of all rows together, and of the part that is seen. */
  readonly size: number;
  readonly viewport: number;
  /** The row that stands there; `undefined` where there is none. */
  rowAt(offset: number): { readonly key: string; readonly top: number } | undefined;
  /** `undefined` for a row that is not there (any more). */
  topOf(key: string): number | undefined;
}

export type Input =
  /** It stands elsewhere; `written`: where it was put last. */
  | { readonly kind: 'scroll'; readonly offset: number; readonly written: number; readonly view: View }
  /** Something in it was pressed: what unfolds must not push that out of sight. */
  | { readonly kind: 'press'; readonly offset: number; readonly view: View }
  /** Rows came, went, or have another size, or the list itself has. */
  | { readonly kind: 'layout'; readonly view: View }
  | { readonly kind: 'to-end' }
  /** To a row, with a third of what is seen above it. */
  | { readonly kind: 'to-row'; readonly key: string; readonly viewport: number };

export const end: Anchor = { at: 'end' };
/** Pixels from the end that still count as the end. */
const near = 48;
/** Browsers round what is written. */
const slack = 1;

export function next(anchor: Anchor, input: Input): Anchor {
  switch (input.kind) {
    case 'to-end':
      return end;
    case 'to-row':
      return { at: 'row', key: input.key, offset: -Math.round(input.viewport / 3) };
    case 'layout': {
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

/** Where the list is to stand; `undefined` where it may stay, because the row is gone. */
export function offsetOf(anchor: Anchor, view: View): number | undefined {
  const most = Math.max(0, view.size - view.viewport);
  const top = anchor.at === 'end' ? most : topOf(anchor, view);
  return top === undefined ? undefined : Math.min(most, Math.max(0, top));
}

/** Whether what is written is another place than where it stands. */
export const isElsewhere = (offset: number, wanted: number): boolean => Math.abs(offset - wanted) >= slack;

function topOf(anchor: Anchor, view: View): number | undefined {
  if (anchor.at === 'end') return undefined;
  const top = view.topOf(anchor.key);
  return top === undefined ? undefined : top + anchor.offset;
}

function isNearEnd(offset: number, { size, viewport }: View): boolean {
  return size - viewport - offset <= near;
}

function rowAt(offset: number, view: View): Anchor {
  const row = view.rowAt(offset);
  return row ? { at: 'row', key: row.key, offset: offset - row.top } : end;
}
