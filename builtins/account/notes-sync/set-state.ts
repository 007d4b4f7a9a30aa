// Defines what this machine knows of one set of the control plane between two syncs.
import { sha256 } from '#lib/hash';
import type { NoteChange } from 'agent-harness/builtins/control-plane/plane-notes';
import type { TravellingNote } from 'agent-harness/builtins/tools/memory';
import type { KeptConflict } from './contract.ts';

/** The version that both sides had: the time and a hash of the value, or no hash for a deletion. */
export type KnownVersion = readonly [updatedAt: string, hash: string];

/** A change that was sent, or was about to be: it is sent again until it is acknowledged. */
export type PendingChange = Omit<NoteChange, 'clientId'>;

export interface SetState {
  clientId: string;
  mutationId: number;
  /** Left out: nothing was read yet. */
  revision?: number;
  mark?: string;
  /** Time of the control plane at the last read. */
  readAt?: string;
  /** Position in the notes here up to which everything is on the control plane. */
  cursor?: string;
  /** Ids that the control plane accepted and that were not read back: a backup restored meanwhile may lack them. */
  unread?: string[];
  /** Something before the cursor differs from the control plane: all notes are checked next time. */
  isIncomplete?: boolean;
  pending?: PendingChange;
  isAgreed: boolean;
  lastSyncAt?: string;
  conflicts: KeptConflict[];
  /** Id → reason. */
  refused: Record<string, string>;
}

export interface SetRecord {
  readonly state: SetState;
  /** By id. */
  readonly known: Map<string, KnownVersion>;
}

/** Newer ones replace the oldest. */
export const maxConflicts = 200;

export function newState(clientId: string): SetState {
  return { clientId, mutationId: 0, isAgreed: false, conflicts: [], refused: {} };
}

export function versionOf({ value, updatedAt, deletedAt }: Pick<TravellingNote, 'value' | 'updatedAt' | 'deletedAt'>): KnownVersion {
  return deletedAt === undefined ? [updatedAt, sha256(value).slice(0, 16)] : [deletedAt, ''];
}

/** Matches no version here: it has to be sent. */
export const unsent: KnownVersion = ['', 'unsent'];

export function isSameVersion(one: KnownVersion | undefined, other: KnownVersion): boolean {
  return one !== undefined && one[0] === other[0] && one[1] === other[1];
}
