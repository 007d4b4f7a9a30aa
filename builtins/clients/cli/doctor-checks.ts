// Manages the contribution point `doctor_check`: runs the checks of plugins for `doctor`.
import type { DoctorCheck, Finding } from 'agent-harness/builtins/clients/cli';
import type { PointHandler } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';

export interface DoctorChecks {
  readonly point: PointHandler<DoctorCheck>;
  /** Runs all checks one after the other. Never rejects. */
  look(): Promise<readonly Finding[]>;
}

const limitMs = 20_000;

export function createDoctorChecks(): DoctorChecks {
  const checks = new Map<string, DoctorCheck>();

  async function lookAt(check: DoctorCheck): Promise<readonly Finding[]> {
    try {
      return await withLimit<readonly Finding[], never>(check.look(), limitMs, () => {
        throw new Error(`it took longer than ${limitMs / 1_000} s.`);
      });
    } catch (fault) {
      return [
        {
          level: 'wrong',
          text: `The check of '${check.name}' failed: ${messageOf(fault)}`,
          mend: 'Run it again; if it fails again, disable its plugin.',
        },
      ];
    }
  }

  return {
    point: {
      validate: ({ name }) => (checks.has(name) ? `a check '${name}' already exists.` : undefined),
      added: (check) => void checks.set(check.name, check),
      removed: ({ name }) => void checks.delete(name),
    },
    async look() {
      const found: Finding[] = [];
      for (const check of checks.values()) found.push(...(await lookAt(check)));
      return found;
    },
  };
}
