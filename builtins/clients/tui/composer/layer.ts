// Defines an overlay between the conversation and the field, which handles keys before the field.
import type { Key } from '../screen/keys.ts';
import type { Row } from '../screen/spans.ts';

export interface Layer {
  /** Returns the rows; empty if there is nothing to show. @param most maximum number of rows */
  rows(columns: number, most: number): readonly Row[];
  /** Returns whether it handled the key. */
  key(key: Key): boolean;
}

/** The field as used by a layer, for entering a reason, changed arguments or an answer. */
export interface Field {
  readonly text: string;
  /** Stores the current text, and asks for another one. @param hint text shown while the field is empty */
  borrow(text: string, hint: string): void;
  /** Restores the stored text. */
  giveBack(): void;
}
