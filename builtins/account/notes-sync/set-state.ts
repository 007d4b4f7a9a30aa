// Defines the sync state of one set that is stored between two syncs.
import { sha256 } from '#lib/hash';
import type { NoteChange } from 'agent-harness/builtins/control-plane/plane-notes';
import type { TravellingNote } from 'agent-harness/builtins/tools/memory';
import type { StoredConflict } from './contract.ts';

/** The last common version of both sides: time and hash of the value; the hash is empty for a deletion. */
export type KnownVersion = readonly [updatedAt: string, hash: string];

/** A change that is resent until the control plane acknowledges it. */
export type PendingChange = Omit<NoteChange, 'clientId'>;

export interface SetState {
  clientId: string;
  mutationId: number;
  /** Revision of the control plane that was read last; omitted before the first read. */
  revision?: number;
  mark?: string;
  /** Time of the last read, by the control plane's clock. */
  readAt?: string;
  /** Position in the local change log up to which all changes are on the control plane. */
  cursor?: string;
  /** Ids that the control plane accepted but did not return in a later read, for example because a restored backup lacks them. */
  unread?: string[];
  /** Whether a note before the cursor differs from the control plane; if so, the next sync checks all notes. */
  isIncomplete?: boolean;
  pending?: PendingChange;
  isAgreed: boolean;
  lastSyncAt?: string;
  conflicts: StoredConflict[];
  /** Reasons why notes are not synchronised, by note id. */
  refused: Record<string, string>;
}

export interface SetRecord {
  readonly state: SetState;
  /** Versions by note id. */
  readonly known: Map<string, KnownVersion>;
}

/** Maximum number of conflicts; new conflicts replace the oldest. */
export const maxConflicts = 200;

/** Returns the state of a set that was never synchronised. */
export function newState(clientId: string): SetState {
  return { clientId, mutationId: 0, isAgreed: false, conflicts: [], refused: {} };
}

export function versionOf({ value, updatedAt, deletedAt }: Pick<TravellingNote, 'value' | 'updatedAt' | 'deletedAt'>): KnownVersion {
  return deletedAt === undefined ? [updatedAt, sha256(value).slice(0, 16)] : [deletedAt, ''];
}

/** A version that never matches, so the note is uploaded. */
export const unsent: KnownVersion = ['', 'unsent'];

/** Returns whether two versions have the same time and content. */
export function isSameVersion(one: KnownVersion | undefined, other: KnownVersion): boolean {
  return one !== undefined && one[0] === other[0] && one[1] === other[1];
}
