// Defines the contract of synchronised notes: the data exchanged between a control plane and the copies of a set.

/** Source of a note, as stated by its author. */
export interface NoteRowSource {
  readonly kind: string;
  readonly ref: string;
}

export interface NoteUpsert {
  /** `type:key`. */
  readonly key: string;
  readonly value: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  readonly source?: NoteRowSource;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly links?: readonly string[];
}

export interface NoteTombstone {
  readonly key: string;
  /** ISO 8601 UTC. */
  readonly deletedAt: string;
}

/** Author of a row in a team's set. */
export interface NoteWriter {
  /** `user_…` */
  readonly userId: string;
  readonly email: string;
}

interface Placed {
  /** Revision of the change that contained the row. */
  readonly revision: number;
  readonly by?: NoteWriter;
}

export interface NoteRow extends NoteUpsert, Placed {}
export interface TombstoneRow extends NoteTombstone, Placed {}

/** The reply of `GET …/notes?workspace=&since=`. */
export interface NoteReading {
  /** Last revision of the reply; the next `since`. */
  readonly revision: number;
  /** Mark of the revision: send it as `mark`, so that a control plane restored from a backup is detected. Left out if `more` is true. */
  readonly mark?: string;
  /** Revision up to which deletions are no longer stored: a reader before it receives the whole set. */
  readonly horizon: number;
  /** Time of the newest deletion that is no longer stored; left out if there is none. */
  readonly horizonAt?: string;
  /** Control plane time of the read. */
  readonly at: string;
  /**
   * Whether the reply contains the whole set, because `since` is of another history or before the horizon. A note that the reader has and the reply
   * lacks was deleted if the reader last read before `horizonAt`; otherwise the control plane lost it after a restore, and the reader sends it again.
   */
  readonly reset: boolean;
  /** The whole set was removed on purpose: the reader keeps its notes, and sends nothing without a request. */
  readonly emptied?: true;
  /** More rows follow: request again with `since` = revision, and with `whole=true` if this is the whole set. */
  readonly more?: true;
  readonly notes: readonly NoteRow[];
  readonly tombstones: readonly TombstoneRow[];
}

/** The body of `PUT …/notes?workspace=`. */
export interface NoteChange {
  /** Permanent id of this copy. */
  readonly clientId: string;
  /** Increases with each change of this copy; a repeated number is applied once. */
  readonly mutationId: number;
  /** Last revision that the copy has read. */
  readonly base: number;
  readonly mark?: string;
  readonly upserts: readonly NoteUpsert[];
  readonly tombstones: readonly NoteTombstone[];
}

/** The 2xx reply to a change. */
export interface NoteChangeReply {
  readonly revision: number;
  /** Mark of the revision; left out if the set has changes that the copy must read first. */
  readonly mark?: string;
  /** Rows that differ from the sent ones: the control plane's row was newer, or a time was in the future. */
  readonly rows: readonly (NoteRow | TombstoneRow)[];
}

/** The 409 reply to a change, besides the error. */
export interface NoteConflict {
  readonly revision: number;
  /** Conflicting rows; none with `reset`. */
  readonly changed: readonly (NoteRow | TombstoneRow)[];
  /** The copy must read first: the base is of another history, or before the horizon. */
  readonly reset?: true;
}

export interface NoteVersion {
  /** Empty for a deletion. */
  readonly value: string;
  readonly updatedAt: string;
  readonly replacedAt: string;
  /** Author of the version. */
  readonly by: NoteWriter;
  /** Reason of the replacement: a newer version, a deletion, or a deletion that was replaced by a restored note. */
  readonly reason: 'newer' | 'deleted' | 'restored';
}
