// Runs the health checks of all plugins.
import type { PointHandler } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { CheckResult, PlaneCheck } from './contract.ts';

export interface Finding extends CheckResult {
  readonly name: string;
}

export interface Checks {
  readonly handler: PointHandler<PlaneCheck>;
  /** Sorted by name. */
  look(which: 'needed' | 'all'): Promise<readonly Finding[]>;
}

const longestMs = 5_000;

export function createChecks(): Checks {
  const checks = new Map<string, PlaneCheck>();
  return {
    handler: {
      validate({ name }) {
        if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return `a check has a name in kebab-case, not '${name}'.`;
        return checks.has(name) ? `there is a check '${name}' already.` : undefined;
      },
      added: (check) => void checks.set(check.name, check),
      removed: ({ name }) => void checks.delete(name),
    },
    look(which) {
      const all = [...checks.values()].filter(({ isNeeded }) => which === 'all' || isNeeded).sort((a, b) => (a.name < b.name ? -1 : 1));
      return Promise.all(all.map(async (check) => ({ name: check.name, ...(await lookAt(check)) })));
    },
  };
}

async function lookAt(check: PlaneCheck): Promise<CheckResult> {
  const late = (): CheckResult => ({ state: 'failed', message: `There was no answer within ${longestMs / 1000} s.` });
  try {
    return await withLimit(
      Promise.resolve().then(() => check.look()),
      longestMs,
      late,
    );
  } catch (fault) {
    return { state: 'failed', message: messageOf(fault) };
  }
}
