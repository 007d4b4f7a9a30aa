// Changes that were saved while a turn ran, and come into force once none does. A start has them in force by itself.
import type { PendingChanges } from './contract.ts';
import type { InferenceMode } from './preferences.ts';

export interface Pending {
  readonly isEmpty: boolean;
  /** Variables for the process that hold until then; `undefined` while nothing waits. */
  readonly inForce: Readonly<Record<string, string>> | undefined;
  list(): PendingChanges;
  /** @param inForce what holds now; the first one counts */
  begin(inForce: Readonly<Record<string, string>>): void;
  addVariables(changes: ReadonlyMap<string, string | null>, mode: InferenceMode | undefined): void;
  addPlugin(name: string, disabled: boolean): void;
  addReload(): void;
  /** What waited; from now on nothing does. */
  take(): PendingChanges;
}

const nothing: PendingChanges = { env: {}, plugins: [], reload: false };

export function createPending(): Pending {
  let waiting = nothing;
  let inForce: Readonly<Record<string, string>> | undefined;
  return {
    get isEmpty() {
      return inForce === undefined;
    },
    get inForce() {
      return inForce;
    },
    list: () => waiting,
    begin: (held) => void (inForce ??= held),
    addVariables(changes, mode) {
      waiting = { ...waiting, env: { ...waiting.env, ...Object.fromEntries(changes) }, ...(mode === undefined ? {} : { inferenceMode: mode }) };
    },
    addPlugin(name, disabled) {
      waiting = { ...waiting, plugins: [...waiting.plugins.filter((one) => one.name !== name), { name, disabled }] };
    },
    addReload: () => void (waiting = { ...waiting, reload: true }),
    take() {
      const taken = waiting;
      waiting = nothing;
      inForce = undefined;
      return taken;
    },
  };
}
