// What the threads that search lines of files are told, and what they answer.
export interface LineSearch {
  /** Of the regular expression. */
  readonly source: string;
  readonly flags: string;
  /** Finds something in each text of which a line matches; left out where nothing is known. */
  readonly required?: string | undefined;
  /** Lines before and after a hit. */
  readonly context: number;
  readonly maxHits: number;
  /** UTF-16 units. */
  readonly maxShownLine: number;
  /** One file that was asked for by its name. */
  readonly isNamed: boolean;
  /** Files that stand at other paths as well are searched too. */
  readonly mayHaveOtherNames: boolean;
}

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** Some of the files, in the order in which they were told; `first` is the place of the first one among all. */
export interface ThreadWork {
  readonly first: number;
  readonly paths: readonly string[];
}

/** Files go by their place among all. */
export type ThreadMessage =
  | { readonly kind: 'hits'; readonly index: number; readonly lines: readonly FoundLine[] }
  | { readonly kind: 'end'; readonly first: number; readonly hits: number; readonly skipped: readonly number[]; readonly linked: readonly number[] };

export interface ThreadTask extends LineSearch {
  /** The system tells the path of a descriptor. */
  readonly tellsPaths: boolean;
  /** Two numbers that both threads see: the place of the file that is being searched, or -1, and how many pieces of it were. */
  readonly progress: Int32Array;
}
