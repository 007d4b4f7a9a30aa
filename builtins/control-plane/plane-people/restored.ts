// Handles a restore for credentials: they may have been ended or used since the backup was made.
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';

export const restoredPeople: RestoreStep = {
  name: 'open-doors',
  async apply(query) {
    await query.query('delete from session; delete from password_reset; delete from set_up_token; delete from invite where used_at is null');
  },
};
