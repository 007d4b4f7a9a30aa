// Defines an overlay between the conversation and the field, which handles keys before the field.
import type { Key } from '../screen/keys.ts';
import type { Row } from '../screen/spans.ts';

export interface Layer {
  /** Empty if there is nothing to show. @param most rows */
  rows(columns: number, most: number): readonly Row[];
  /** Whether it handled the key. */
  key(key: Key): boolean;
}

/** The field as used by a layer, for entering a reason, changed arguments or an answer. */
export interface Field {
  readonly text: string;
  /** Sets the current text aside and asks for another. */
  borrow(text: string, hint: string): void;
  /** Stores the current text and requests another one. */
  giveBack(): void;
}
