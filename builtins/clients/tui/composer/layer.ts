// What stands between the conversation and the field, and takes keys before the field does.
import type { Key } from '../screen/keys.ts';
import type { Row } from '../screen/spans.ts';

export interface Layer {
  /** None while there is nothing to show. @param most rows */
  rows(columns: number, most: number): readonly Row[];
  /** Whether it took the key. */
  key(key: Key): boolean;
}

/** The field as a layer may use it: a reason, other arguments, an answer are written where everything is written. */
export interface Field {
  readonly text: string;
  /** Puts what was being written aside and asks for something else. */
  borrow(text: string, hint: string): void;
  /** What was being written before. */
  giveBack(): void;
}
