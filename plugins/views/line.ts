// What the lines of a view are made of.
import { clip } from 'agent-harness/lib/text';

/** How a piece of a line looks, where there are colours. */
export type Look = 'strong' | 'weak' | 'good' | 'bad' | 'busy' | 'accent';
export interface Run {
  readonly text: string;
  readonly look?: Look;
}
export type Line = readonly Run[];

export interface Room {
  /** That a line may take. */
  readonly columns: number;
  /** False for whoever reads by ear: bars, signs and columns are said in words. */
  readonly isDrawn: boolean;
  readonly widthOf: (text: string) => number;
  /** Rows are called by their ids, which stand beside them. */
  readonly isCalled: boolean;
}

export const nothing: Line = [{ text: 'Nothing is here.', look: 'weak' }];

/** The name by which an action of a row is called. */
export function idRun(id: string | undefined, isCalled: boolean): Run[] {
  return id === undefined || !isCalled ? [] : [{ text: ` [${id}]`, look: 'weak' }];
}

/** As much of it as takes no more columns than `width`. */
export function shorten(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text;
  let cut = clip(text, width);
  while (cut !== '' && widthOf(cut) > width) cut = clip(cut, cut.length - 1);
  return cut;
}
