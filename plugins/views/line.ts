// Declares the types of the text lines of a view.
import { clip } from '#lib/text';

/** Style of part of a line, for clients with colours. */
export type Look = 'strong' | 'weak' | 'good' | 'bad' | 'busy' | 'accent';
export interface Run {
  readonly text: string;
  readonly look?: Look;
}
export type Line = readonly Run[];

export interface Room {
  /** Maximum width of a line in columns. */
  readonly columns: number;
  /** Whether to use bars, signs and columns; `false` for screen readers, which receive words instead. */
  readonly isDrawn: boolean;
  readonly widthOf: (text: string) => number;
  /** Whether lines contain the ids of rows, which actions use to address a row. */
  readonly isCalled: boolean;
}

export const nothing: Line = [{ text: 'No entries.', look: 'weak' }];

/** Returns the part of a line with the id of a row; none if ids are not displayed. */
export function idRun(id: string | undefined, isCalled: boolean): Run[] {
  return id === undefined || !isCalled ? [] : [{ text: ` [${id}]`, look: 'weak' }];
}

/** Truncates text to at most `width` columns. */
export function shorten(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text;
  let cut = clip(text, width);
  while (cut !== '' && widthOf(cut) > width) cut = clip(cut, cut.length - 1);
  return cut;
}
