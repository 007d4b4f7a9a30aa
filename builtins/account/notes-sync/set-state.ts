// What this machine knows of one set of the plane, between two syncs.
import { sha256 } from 'agent-harness/lib/hash';
import type { NoteChange } from 'agent-harness/builtins/control-plane/plane-notes';
import type { TravellingNote } from 'agent-harness/builtins/tools/memory';
import type { KeptConflict } from './contract.ts';

/** The version that both sides had: the times, a hash of the value, and of a deletion no hash. */
export type KnownVersion = readonly [updatedAt: string, hash: string];

/** A change that was sent, or was about to be: it is sent again until it is answered. */
export type PendingChange = Omit<NoteChange, 'clientId'>;

export interface SetState {
  clientId: string;
  mutationId: number;
  /** Left out: nothing was read yet. */
  revision?: number;
  mark?: string;
  /** Of the plane, when it was read last. */
  readAt?: string;
  /** Of the notes here: up to where all of it is on the plane. */
  cursor?: string;
  /** Ids that the plane took, and that were not read back: a backup that is restored meanwhile may lack them. */
  unread?: string[];
  /** Something below the cursor differs from what the plane has: all notes are looked through next time. */
  isIncomplete?: boolean;
  pending?: PendingChange;
  isAgreed: boolean;
  lastSyncAt?: string;
  conflicts: KeptConflict[];
  /** Id → why. */
  refused: Record<string, string>;
}

export interface SetRecord {
  readonly state: SetState;
  /** By id. */
  readonly known: Map<string, KnownVersion>;
}

/** Newer ones push out the oldest. */
export const maxConflicts = 200;

export function newState(clientId: string): SetState {
  return { clientId, mutationId: 0, isAgreed: false, conflicts: [], refused: {} };
}

export function versionOf({ value, updatedAt, deletedAt }: Pick<TravellingNote, 'value' | 'updatedAt' | 'deletedAt'>): KnownVersion {
  return deletedAt === undefined ? [updatedAt, sha256(value).slice(0, 16)] : [deletedAt, ''];
}

/** Nothing here is that version: it has to be sent. */
export const unsent: KnownVersion = ['', 'unsent'];

export function isSameVersion(one: KnownVersion | undefined, other: KnownVersion): boolean {
  return one !== undefined && one[0] === other[0] && one[1] === other[1];
}
