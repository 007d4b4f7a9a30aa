// Declares the messages to and from the threads that search lines of files.
export interface LineSearch {
  /** Source of the regular expression. */
  readonly source: string;
  readonly flags: string;
  /** Matches each text that contains a matching line; left out if unknown. */
  readonly required?: string | undefined;
  /** Lines before and after a hit. */
  readonly context: number;
  readonly maxHits: number;
  /** UTF-16 units. */
  readonly maxShownLine: number;
  /** A single file requested by name. */
  readonly isNamed: boolean;
  /** Hard links are searched, too. */
  readonly mayHaveOtherNames: boolean;
}

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** A portion of the files, in order; `first` is the index of its first one. */
export interface ThreadWork {
  readonly first: number;
  readonly paths: readonly string[];
}

/** Files are identified by index. */
export type ThreadMessage =
  | { readonly kind: 'hits'; readonly index: number; readonly lines: readonly FoundLine[] }
  | { readonly kind: 'end'; readonly first: number; readonly hits: number; readonly skipped: readonly number[]; readonly linked: readonly number[] };

export interface ThreadTask extends LineSearch {
  /** The system reports the path of a descriptor. */
  readonly tellsPaths: boolean;
  /** Two shared numbers: the index of the file being searched, or -1, and the number of its pieces searched. */
  readonly progress: Int32Array;
}
