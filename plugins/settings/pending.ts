// Tracks saved settings changes that wait until no turn is running. A restart also applies them.
import type { PendingChanges } from './contract.ts';
import type { InferenceMode } from './preferences.ts';

export interface Pending {
  readonly isEmpty: boolean;
  /** The variables in effect until the pending changes are applied; `undefined` while no change is pending. */
  readonly inForce: Readonly<Record<string, string>> | undefined;
  list(): PendingChanges;
  /** Begins to hold changes. @param inForce current values; ignored if changes are already pending */
  begin(inForce: Readonly<Record<string, string>>): void;
  addVariables(changes: ReadonlyMap<string, string | null>, mode: InferenceMode | undefined): void;
  addPlugin(name: string, disabled: boolean): void;
  addReload(): void;
  /** Returns and clears the pending changes. */
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
