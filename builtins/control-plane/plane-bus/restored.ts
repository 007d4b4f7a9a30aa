// Handles a restore for the bus: readers return with cursors of messages that the backup does not have.
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';

/**
 * All places continue at the time in milliseconds, which no place has reached by counting, so a new message never gets an earlier message's cursor.
 * Returning readers are notified of the gap.
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
