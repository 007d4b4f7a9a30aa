// What a source gives: files, and what is known of them.

export interface Fetched {
  readonly files: Map<string, Uint8Array>;
  /** What an update asks again. */
  readonly source: string;
  readonly resolved: string;
  /** ISO 8601. */
  readonly published?: string;
  /** Its name, where it does not say one itself. */
  readonly usualName: string;
  readonly version?: string;
  /** Whether what is very new is refused. */
  readonly hasCoolDown: boolean;
}
