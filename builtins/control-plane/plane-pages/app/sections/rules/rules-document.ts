// A document that holds for the services of an organisation: policy, or fleet configuration.

export interface Revised<T> {
  /** 0: there is none yet. */
  readonly revision: number;
  readonly document: T;
}

export interface PastVersion {
  readonly revision: number;
  readonly by: { readonly email: string };
  /** ISO 8601. */
  readonly at: string;
  /** `path` is a JSON pointer. */
  readonly differences: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
}

export interface Preview {
  /** Members for whom something changes. */
  readonly affects: number;
  /** All members. */
  readonly of: number;
  readonly lines: readonly string[];
}

export interface RulesDocument<T> {
  read(signal: AbortSignal): Promise<Revised<T>>;
  /** Rejects with `revision_conflict` where somebody else was faster. */
  save(base: number, document: T): Promise<unknown>;
  /** Newest first. @param before what the page before answered */
  history(before?: number): Promise<{ readonly versions: readonly PastVersion[]; readonly before?: number | undefined }>;
  rollback(base: number, to: number): Promise<unknown>;
  preview(document: T, signal: AbortSignal): Promise<Preview>;
}
