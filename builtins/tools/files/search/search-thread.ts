// Defines the messages to and from the threads that search lines of files.
export interface LineSearch {
  /** Source of the regular expression. */
  readonly source: string;
  readonly flags: string;
  /** Source of a pattern that matches every text with a matching line; omitted if unknown. */
  readonly required?: string | undefined;
  /** Number of lines before and after a match. */
  readonly context: number;
  readonly maxHits: number;
  /** Maximum length of a displayed line in UTF-16 code units. */
  readonly maxShownLine: number;
  /** Whether a single file was requested by name. */
  readonly isNamed: boolean;
  /** Whether hard links are also searched. */
  readonly mayHaveOtherNames: boolean;
}

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** A portion of the files, in order; `first` is the index of its first file. */
export interface ThreadWork {
  readonly first: number;
  readonly paths: readonly string[];
}

/** A message of a thread, which identifies files by index. */
export type ThreadMessage =
  | { readonly kind: 'hits'; readonly index: number; readonly lines: readonly FoundLine[] }
  | { readonly kind: 'end'; readonly first: number; readonly hits: number; readonly skipped: readonly number[]; readonly linked: readonly number[] };

export interface ThreadTask extends LineSearch {
  /** Whether the system reports the path of a descriptor. */
  readonly reportsPaths: boolean;
  /** Two shared numbers: the index of the file that is being searched, or -1, and the number of its pieces that were searched. */
  readonly progress: Int32Array;
}
