// How copies of notes stand, as the server says.
import type { ReplyOf } from 'agent-harness/client';

export type SyncState = ReplyOf<'GET /api/sync/state'>;
