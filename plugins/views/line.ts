// Declares the types of the text lines of a view.
import { clip } from '#lib/text';

/** Style of a piece of a line, if colours are available. */
export type Look = 'strong' | 'weak' | 'good' | 'bad' | 'busy' | 'accent';
export interface Run {
  readonly text: string;
  readonly look?: Look;
}
export type Line = readonly Run[];

export interface Room {
  /** Maximum width of a line. */
  readonly columns: number;
  /** False for screen readers: words replace bars, signs and columns. */
  readonly isDrawn: boolean;
  readonly widthOf: (text: string) => number;
  /** Lines show the ids of rows, by which actions address them. */
  readonly isCalled: boolean;
}

export const nothing: Line = [{ text: 'Nothing is here.', look: 'weak' }];

/** Returns the id by which an action addresses a row. */
export function idRun(id: string | undefined, isCalled: boolean): Run[] {
  return id === undefined || !isCalled ? [] : [{ text: ` [${id}]`, look: 'weak' }];
}

/** Truncates to at most `width` columns. */
export function shorten(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text;
  let cut = clip(text, width);
  while (cut !== '' && widthOf(cut) > width) cut = clip(cut, cut.length - 1);
  return cut;
}
