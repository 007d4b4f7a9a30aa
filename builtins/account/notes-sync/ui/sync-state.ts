// Defines the type of the notes sync state that the server returns.
import type { ReplyOf } from 'agent-harness/client';

export type SyncState = ReplyOf<'GET /api/sync/state'>;
