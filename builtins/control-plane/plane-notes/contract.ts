// Defines the contract of shared notes: the data exchanged between a control plane and the copies of a set.

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

/** Author of a row; for the sets of a team. */
export interface NoteWriter {
  /** `user_…` */
  readonly userId: string;
  readonly email: string;
}

interface Placed {
  /** Revision of the set's change that it came with. */
  readonly revision: number;
  readonly by?: NoteWriter;
}

export interface NoteRow extends NoteUpsert, Placed {}
export interface TombstoneRow extends NoteTombstone, Placed {}

/** The reply of `GET …/notes?workspace=&since=`. */
export interface NoteReading {
  /** The reply is complete up to here; the next `since`. */
  readonly revision: number;
  /** Mark of the revision: send it as `mark`, so that a control plane restored from a backup is noticed. Left out if `more` is true. */
  readonly mark?: string;
  /** Deletions up to here are forgotten: a reader from before it gets the whole set. */
  readonly horizon: number;
  /** When the newest of those came; left out if none is forgotten. */
  readonly horizonAt?: string;
  /** The time of the control plane when it was read. */
  readonly at: string;
  /**
   * This is the whole set, because `since` is not of its history or is before the horizon. What the reader had and does not find in
   * it was deleted if the reader last read before `horizonAt`; otherwise the control plane lost it (a backup was restored), and it is sent again.
   */
  readonly reset: boolean;
  /** The whole set was removed on purpose: the reader keeps what it has, and sends nothing without a request. */
  readonly emptied?: true;
  /** There are more: ask again with `since` = revision, and with `whole=true` if this is the whole set. */
  readonly more?: true;
  readonly notes: readonly NoteRow[];
  readonly tombstones: readonly TombstoneRow[];
}

/** The body of `PUT …/notes?workspace=`. */
export interface NoteChange {
  /** Id of this copy, for as long as it exists. */
  readonly clientId: string;
  /** Counts up for each change that this copy sends; one sent again with the same number is applied once. */
  readonly mutationId: number;
  /** The revision up to which the copy has read. */
  readonly base: number;
  readonly mark?: string;
  readonly upserts: readonly NoteUpsert[];
  readonly tombstones: readonly NoteTombstone[];
}

/** The 2xx reply of it. */
export interface NoteChangeReply {
  readonly revision: number;
  /** Mark of the revision; left out if the set had changes that the copy has not read, so that it reads before it continues from here. */
  readonly mark?: string;
  /** Rows that differ from what was sent: the control plane's was newer, or a time was in the future. */
  readonly rows: readonly (NoteRow | TombstoneRow)[];
}

/** The 409 reply of it, besides the error. */
export interface NoteConflict {
  readonly revision: number;
  /** The rows in question; none with `reset`. */
  readonly changed: readonly (NoteRow | TombstoneRow)[];
  /** Read again first: the base is not of this set's history, or before its horizon. */
  readonly reset?: true;
}

export interface NoteVersion {
  /** Empty for a deletion. */
  readonly value: string;
  readonly updatedAt: string;
  readonly replacedAt: string;
  /** Its author. */
  readonly by: NoteWriter;
  /** Why it was replaced: by a newer one, by a deletion, or it was a deletion and the note was restored. */
  readonly reason: 'newer' | 'deleted' | 'restored';
}
