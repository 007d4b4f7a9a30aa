// Loads the state of notes sync from the server.
import type { ReplyOf } from 'agent-harness/client';

export type SyncState = ReplyOf<'GET /api/sync/state'>;
