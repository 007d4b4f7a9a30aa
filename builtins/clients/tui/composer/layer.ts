// Defines an overlay between the conversation and the input field, which receives keys before the field.
import type { Key } from '../screen/keys.ts';
import type { Row } from '../screen/spans.ts';

export interface Layer {
  /** Returns the rows; empty if there is nothing to show. @param most maximum number of rows */
  rows(columns: number, most: number): readonly Row[];
  /** Returns whether the overlay handled the key. */
  key(key: Key): boolean;
}

/** The input field as overlays use it: to enter a reason, changed arguments, or an answer. */
export interface Field {
  readonly text: string;
  /** Saves the current text and shows another one for editing. @param hint text to show while the field is empty */
  borrow(text: string, hint: string): void;
  /** Restores the saved text. */
  giveBack(): void;
}
