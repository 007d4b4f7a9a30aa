// Defines the interface to a document of an organisation: its policy or its fleet configuration.

export interface Revised<T> {
  /** 0 if no version exists. */
  readonly revision: number;
  readonly document: T;
}

export interface Published<T> extends Revised<T> {
  /** E-mail of the publisher, if known. */
  readonly by?: string;
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
  /** Number of affected members. */
  readonly affects: number;
  /** Total number of members. */
  readonly of: number;
  readonly lines: readonly string[];
  /** Affected members and their changes; omitted if all members are affected equally. */
  readonly members?: readonly { readonly email: string; readonly changes: readonly string[] }[];
}

export interface RulesDocument<T> {
  readonly kind: 'policy' | 'fleet';
  read(signal?: AbortSignal): Promise<Revised<T>>;
  /** Returns the current version and its author. */
  newest(): Promise<Published<T>>;
  /** Publishes a document. Rejects with `revision_conflict` if another administrator published first. */
  save(base: number, document: T): Promise<{ readonly revision: number }>;
  /** Returns the published versions, newest first. @param before cursor that the previous page returned */
  history(before?: number): Promise<{ readonly versions: readonly PastVersion[]; readonly before?: number | undefined }>;
  rollback(base: number, to: number): Promise<{ readonly revision: number }>;
  preview(document: T, signal: AbortSignal): Promise<Preview>;
  /** Returns a message about a problem that prevents publishing, if the browser can detect one. */
  problemOf?(document: T): string | undefined;
}

/** Reads the published version, and its author if the member may see the history. */
export async function readNewest<T>({ read, history }: Pick<RulesDocument<T>, 'read' | 'history'>): Promise<Published<T>> {
  const [now, { versions }] = await Promise.all([read(), history().catch(() => ({ versions: [] as PastVersion[] }))]);
  const by = versions.find(({ revision }) => revision === now.revision)?.by.email;
  return by === undefined ? now : { ...now, by };
}
