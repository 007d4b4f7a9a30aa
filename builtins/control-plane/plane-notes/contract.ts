// Notes that several copies of one set share: what goes over the wire between a control plane and those who keep a copy.

/** Where a note came from, as whoever wrote it said. */
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

/** Who wrote a row; of the sets of a team. */
export interface NoteWriter {
  /** `user_…` */
  readonly userId: string;
  readonly email: string;
}

interface Placed {
  /** Of the change of the set that it came with. */
  readonly revision: number;
  readonly by?: NoteWriter;
}

export interface NoteRow extends NoteUpsert, Placed {}
export interface TombstoneRow extends NoteTombstone, Placed {}

/** The reply of `GET …/notes?workspace=&since=`. */
export interface NoteReading {
  /** Up to here the answer is whole; the next `since`. */
  readonly revision: number;
  /** Of the revision: give it as `mark`, so that a plane which went back to a backup is noticed. Left out where `more` is true. */
  readonly mark?: string;
  /** Deletions up to here are forgotten: who read before it gets the whole set. */
  readonly horizon: number;
  /** When the newest of those came; left out where none is forgotten. */
  readonly horizonAt?: string;
  /** The time of the plane when it was read. */
  readonly at: string;
  /**
   * This is the whole set, because `since` is not of its history or lies before the horizon. What the reader had and does not find in
   * it was deleted where the reader last read before `horizonAt`; else the plane lost it (a backup was restored), and it is sent again.
   */
  readonly reset: boolean;
  /** Somebody took the whole set away on purpose: the reader keeps what it has, and sends nothing unasked. */
  readonly emptied?: true;
  /** There are more: ask again with `since` = revision, and with `whole=true` where this is the whole set. */
  readonly more?: true;
  readonly notes: readonly NoteRow[];
  readonly tombstones: readonly TombstoneRow[];
}

/** The body of `PUT …/notes?workspace=`. */
export interface NoteChange {
  /** Of this copy, for as long as it lives. */
  readonly clientId: string;
  /** Counts up for each change that this copy sends; sent again with the same number, it is made once. */
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
  /** Of the revision; left out where the set had changes that the copy has not read, so that it reads before it goes on from here. */
  readonly mark?: string;
  /** What stands otherwise than it was sent: where the plane's was newer, or a time was ahead. */
  readonly rows: readonly (NoteRow | TombstoneRow)[];
}

/** The 409 reply of it, beside the error. */
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
  /** Who wrote it. */
  readonly by: NoteWriter;
  /** Why it does not stand any more: a newer one did, it was deleted, or it was a deletion and the note came back. */
  readonly reason: 'newer' | 'deleted' | 'restored';
}
