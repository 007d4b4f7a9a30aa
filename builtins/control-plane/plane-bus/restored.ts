// Adjusts the bus after a database restore: subscribers may have cursors that the backup does not contain.
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';

/**
 * Continues all workspaces at the current time in milliseconds, which no counter can have reached, so a new message never reuses a cursor. Reconnecting readers
 * are notified of the gap.
 */
export const restoredBus: RestoreStep = {
  name: 'cursors',
  async apply(query) {
    await query.query(
      `insert into bus_floor (cursor) select greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, coalesce(max(cursor), 0) + 1) from bus_workspace
         on conflict (only_one) do update set cursor = greatest(bus_floor.cursor + 1, excluded.cursor);
       update bus_workspace set cursor = (select cursor from bus_floor)`,
    );
  },
};
