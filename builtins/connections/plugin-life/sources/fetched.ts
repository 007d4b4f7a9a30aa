// Defines the result of fetching a source: files and their origin.

export interface Fetched {
  readonly files: Map<string, Uint8Array>;
  /** What an update uses again. */
  readonly source: string;
  readonly resolved: string;
  /** ISO 8601. */
  readonly published?: string;
  /** Its name, if it does not declare one itself. */
  readonly usualName: string;
  readonly version?: string;
  /** Whether very new versions are refused. */
  readonly hasCoolDown: boolean;
}
