// Calculates the hash chain over the lines of an audit log. Pure.
import { sha256 } from '#lib/hash';
import { stableJson } from '#lib/values';

/** A line as stored in the database. */
export interface AuditRow {
  readonly seq: number;
  readonly event_id: string;
  readonly source: 'plane' | 'service';
  /** Empty for actions of the operator and of the control plane itself. */
  readonly user_id: string;
  readonly kind: string;
  readonly at: string;
  readonly received_at: Date;
  readonly chat_id: string | null;
  readonly turn_id: string | null;
  /** JSON. */
  readonly metrics: string;
}

/** Returns the hash of a line. @param previous hash of the previous line; empty for the first line */
export function chainHash(previous: string, row: AuditRow): string {
  const { seq, event_id, source, user_id, kind, at, received_at, chat_id, turn_id, metrics } = row;
  return sha256(stableJson([previous, seq, event_id, source, user_id, kind, at, received_at.toISOString(), chat_id, turn_id, metrics]));
}
