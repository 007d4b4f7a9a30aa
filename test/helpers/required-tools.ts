// Detects tools that tests need. Tests without their tool are skipped with a reason, and fail in continuous integration.
import { findNatsServer } from './nats.ts';
import { findPostgres } from './postgres.ts';

const tools = { PostgreSQL: findPostgres, 'nats-server': findNatsServer };

/** Returns whether tests for that tool run here. In continuous integration, a missing tool is an error. */
export function hasTool(name: keyof typeof tools): boolean {
  if (tools[name]() !== undefined) return true;
  if (process.env['CI'] !== undefined) throw new Error(`${name} is not installed, so its tests cannot run. '.ci/run' installs it.`);
  return false;
}
