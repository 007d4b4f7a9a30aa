// Stores the plugin records, and changes their status in one function only.
import type {
  ConfigSlice,
  EntitlementSource,
  KernelError,
  PluginEntry,
  PluginManifest,
  PluginModule,
  PluginOrigin,
  PluginState,
  PreparedPlugin,
} from './types.ts';
import { codeOf, messageOf } from './errors.ts';
import { planOrder, type Plan } from './plan.ts';
import type { Work } from './reentrance.ts';
import type { Scope } from './scope.ts';

export interface PluginRecord extends PreparedPlugin {
  readonly origin: PluginOrigin;
  readonly entry: PluginEntry;
  module?: PluginModule<never> | undefined;
  manifest: PluginManifest;
  importMs: number;
  /** Reason why the plugin's code cannot be used. */
  fault?: KernelError;
  readonly status: PluginStatus;
}

/**
 * - `waiting`: blocked, or a service is missing.
 * - `starting`: `register` is running.
 * - `failed`: with `isPlanned`, a different set of plugins can fix the error; otherwise, only a changed setting or file can.
 */
export type PluginStatus =
  | { readonly kind: 'waiting'; readonly state: 'disabled' | 'locked' | 'unmet'; readonly reason: string }
  | { readonly kind: 'starting'; readonly run: Run }
  | { readonly kind: 'active'; readonly run: Run }
  | { readonly kind: 'failed'; readonly fault: unknown; readonly isPlanned?: true; readonly slice?: ConfigSlice };

/** One run of a plugin, from the call of `register` until the plugin stops. */
export interface Run extends Work {
  readonly scope: Scope;
  readonly slice: ConfigSlice;
  /** Providers by service when `register` was called; if they change, the plugin registers again. */
  readonly suppliers: ReadonlyMap<string, string | undefined>;
  /** Services currently provided. */
  readonly provided: Set<string>;
  registerMs: number;
  /** Whether the run has received `kernel_ready`. */
  isGreeted: boolean;
  /** Resolves when the plugin has started or failed. */
  readonly done: Promise<void>;
  readonly end: () => void;
}

const successors: Readonly<Record<PluginStatus['kind'], readonly PluginStatus['kind'][]>> = {
  waiting: ['waiting', 'starting', 'failed'],
  starting: ['active', 'waiting', 'failed'],
  active: ['waiting'],
  failed: ['waiting', 'failed'],
};

export const notStarted: PluginStatus = { kind: 'waiting', state: 'unmet', reason: 'not started' };

export class PluginTable {
  /** Records in order of precedence. */
  readonly records: PluginRecord[] = [];
  /** Starting and active plugins, in start order. */
  readonly running = new Set<PluginRecord>();
  /** Reasons why plugins are disabled, by plugin name. */
  disabled: ReadonlyMap<string, string> = new Map();
  entitlements: EntitlementSource | undefined;
  plan: Plan = planOrder([], new Set());
  /** Position of each plugin in the plan, for the order of taps. */
  readonly ranks = new Map<string, number>();
  /** Incremented with each change of the report's content. */
  revision = 0;

  readonly changed = (): void => void this.revision++;

  /** Returns the accepted plugin with a name; further plugins with that name are rejected. */
  get(name: string): PluginRecord | undefined {
    return this.records.find((record) => record.name === name && !record.fault) ?? this.records.find((record) => record.name === name);
  }

  isThirdParty(name: string): boolean {
    const record = this.get(name);
    return record !== undefined && isThirdParty(record);
  }

  /** Changes the status of a plugin. No other function may do so. */
  transition(record: PluginRecord, status: PluginStatus): void {
    const { kind } = record.status;
    if (!successors[kind].includes(status.kind)) throw new Error(`Plugin '${record.name}' cannot change from ${kind} to ${status.kind}.`);
    Object.assign(record, { status });
    if (runOf(record)) this.running.add(record);
    else this.running.delete(record);
    this.changed();
  }
}

/** Returns the run of a plugin that is starting or active; `undefined` for any other. */
export function runOf({ status }: PluginRecord): Run | undefined {
  return status.kind === 'starting' || status.kind === 'active' ? status.run : undefined;
}

const originOrder: Readonly<Record<PluginOrigin, number>> = { platform: 0, builtin: 1, bundle: 2, user: 3 };

/** Returns whether the plugin is third-party; errors are attributed to such plugins. */
export const isThirdParty = ({ origin }: Pick<PluginRecord, 'origin'>): boolean => originOrder[origin] >= originOrder.bundle;

/** Returns whether the plugin stays enabled regardless of the settings. */
export const isFixed = (record: Pick<PluginRecord, 'origin' | 'manifest'>): boolean =>
  record.origin === 'platform' || (record.manifest.fixed === true && !isThirdParty(record));

/** Compares by origin, then by name, then by path. */
export function byPrecedence(left: PluginRecord, right: PluginRecord): number {
  const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
  return originOrder[left.origin] - originOrder[right.origin] || compare(left.name, right.name) || compare(left.place, right.place);
}

/** Returns the state for reports and events. */
export function stateOf({ status }: Pick<PluginRecord, 'status'>): { readonly state: PluginState; readonly reason?: string; readonly code?: string } {
  if (status.kind === 'active') return { state: 'active' };
  if (status.kind === 'starting') return { state: 'unmet', reason: 'is starting' };
  if (status.kind === 'waiting') return { state: status.state, reason: status.reason };
  return { state: 'failed', reason: messageOf(status.fault), code: codeOf(status.fault) ?? 'KRN_ERR_PLUGIN_REGISTER' };
}
