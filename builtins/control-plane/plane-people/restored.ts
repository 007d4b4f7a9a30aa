// Ends credentials after a database restore, because they may have been revoked or used since the backup.
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';

export const restoredPeople: RestoreStep = {
  name: 'end-credentials',
  async apply(query) {
    await query.query('delete from session; delete from password_reset; delete from set_up_token; delete from invite where used_at is null');
  },
};
