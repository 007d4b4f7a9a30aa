// Defines the contract of synchronised notes: the data that a control plane exchanges with the copies of a set.

/** Source of a note, as stated by its author. */
export interface NoteRowSource {
  readonly kind: string;
  readonly ref: string;
}

export interface NoteUpsert {
  /** `type:key`. */
  readonly key: string;
  readonly value: string;
  readonly updatedAt: string;
  readonly source?: NoteRowSource;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly links?: readonly string[];
}

export interface NoteTombstone {
  readonly key: string;
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
  /** Last revision in the reply; pass it as the next `since`. */
  readonly revision: number;
  /** Fingerprint of the revision: send it as `mark`, so that a control plane restored from a backup is detected. Omitted if `more` is true. */
  readonly mark?: string;
  /** Revision up to which deletions are no longer stored. A reader whose revision is earlier receives the whole set. */
  readonly horizon: number;
  /** Time of the newest deletion that is no longer stored; omitted if there is none. */
  readonly horizonAt?: string;
  /** Control plane time of the read. */
  readonly at: string;
  /**
   * Whether the reply contains the whole set, because `since` belongs to another history or is before the horizon. A note that the reader has but the reply
   * lacks was deleted if the reader's last read was before `horizonAt`. Otherwise, the control plane lost the note in a restore, and the reader sends it again.
   */
  readonly reset: boolean;
  /** Whether the whole set was removed on purpose. The reader keeps its notes, and uploads nothing without a request by the user. */
  readonly emptied?: true;
  /** More rows follow: send another request with `since` set to the revision, and with `whole=true` if this is the whole set. */
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
  /** Fingerprint of the revision; omitted if the set has changes that the copy must read first. */
  readonly mark?: string;
  /** Rows that differ from the sent ones, because the control plane's row was newer or a time was in the future. */
  readonly rows: readonly (NoteRow | TombstoneRow)[];
}

/** The 409 reply to a change, besides the error. */
export interface NoteConflict {
  readonly revision: number;
  /** Conflicting rows; none with `reset`. */
  readonly changed: readonly (NoteRow | TombstoneRow)[];
  /** Whether the copy must read first: its base belongs to another history or is before the horizon. */
  readonly reset?: true;
}

export interface NoteVersion {
  /** Empty for a deletion. */
  readonly value: string;
  readonly updatedAt: string;
  readonly replacedAt: string;
  /** Author of the version. */
  readonly by: NoteWriter;
  /** Reason for the replacement: a newer version, a deletion, or a restored note that replaced a deletion. */
  readonly reason: 'newer' | 'deleted' | 'restored';
}
