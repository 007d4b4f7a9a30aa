// Runs the health checks of all plugins of the control plane.
import type { PointHandler } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { CheckResult, PlaneCheck } from './contract.ts';

export interface Finding extends CheckResult {
  readonly name: string;
}

export interface Checks {
  readonly handler: PointHandler<PlaneCheck>;
  /** Runs the checks, and returns their results by name. */
  run(which: 'needed' | 'all'): Promise<readonly Finding[]>;
}

/** Timeout of a check in milliseconds. */
const timeoutMs = 5_000;

export function createChecks(): Checks {
  const checks = new Map<string, PlaneCheck>();
  return {
    handler: {
      validate({ name }) {
        if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return `the name of a check must be in kebab-case, not '${name}'.`;
        return checks.has(name) ? `a check '${name}' already exists.` : undefined;
      },
      added: (check) => void checks.set(check.name, check),
      removed: ({ name }) => void checks.delete(name),
    },
    run(which) {
      const all = [...checks.values()].filter(({ isNeeded }) => which === 'all' || isNeeded).sort((a, b) => (a.name < b.name ? -1 : 1));
      return Promise.all(all.map(async (check) => ({ name: check.name, ...(await runOne(check)) })));
    },
  };
}

async function runOne(check: PlaneCheck): Promise<CheckResult> {
  const late = (): CheckResult => ({ state: 'failed', message: `The check did not finish within ${timeoutMs / 1000} s.` });
  try {
    return await withLimit(
      Promise.resolve().then(() => check.look()),
      timeoutMs,
      late,
    );
  } catch (fault) {
    return { state: 'failed', message: messageOf(fault) };
  }
}
