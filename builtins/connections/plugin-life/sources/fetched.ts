// Defines the result of fetching a source: files and their origin.

export interface Fetched {
  readonly files: Map<string, Uint8Array>;
  /** Source of updates. */
  readonly source: string;
  readonly resolved: string;
  /** ISO 8601. */
  readonly published?: string;
  /** Name to use if the plugin declares none. */
  readonly usualName: string;
  readonly version?: string;
  /** Whether very new versions are refused. */
  readonly hasCoolDown: boolean;
}
