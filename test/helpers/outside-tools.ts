// Programs that tests need and that not every machine has: without one its tests are skipped with the reason, and fail where all must be there.
import { findNatsServer } from './nats.ts';
import { findPostgres } from './postgres.ts';

const tools = { PostgreSQL: findPostgres, 'nats-server': findNatsServer };

/** Whether tests of that program run here. In continuous integration a missing one is a fault. */
export function hasTool(name: keyof typeof tools): boolean {
  if (tools[name]() !== undefined) return true;
  if (process.env['CI'] !== undefined) throw new Error(`${name} is not installed, so its tests cannot run. '.ci/run' installs it.`);
  return false;
}
