// The plugins that were found, the status of each, and the one function that changes it.
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
  /** Why its code cannot be used. */
  fault?: KernelError;
  readonly status: PluginStatus;
}

/**
 * - `waiting`: may not run, or a service is missing.
 * - `starting`: `register` has begun.
 * - `failed`: `isPlanned` where the set of plugins is the cause, so another set mends it; else it waits for another setting or file.
 */
export type PluginStatus =
  | { readonly kind: 'waiting'; readonly state: 'disabled' | 'locked' | 'unmet'; readonly reason: string }
  | { readonly kind: 'starting'; readonly run: Run }
  | { readonly kind: 'active'; readonly run: Run }
  | { readonly kind: 'failed'; readonly fault: unknown; readonly isPlanned?: true };

/** A plugin from the call of `register` until it is stopped. */
export interface Run extends Work {
  readonly scope: Scope;
  readonly slice: ConfigSlice;
  /** Service → provider at the time of `register`; a difference means that the plugin registers again. */
  readonly suppliers: ReadonlyMap<string, string | undefined>;
  /** Services it provides now. */
  readonly provided: Set<string>;
  registerMs: number;
  /** Resolves when it is no longer starting. */
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
  /** In order of precedence. */
  readonly records: PluginRecord[] = [];
  /** Starting or active, in the order of their start. */
  readonly running = new Set<PluginRecord>();
  /** Name → reason. */
  disabled: ReadonlyMap<string, string> = new Map();
  entitlements: EntitlementSource | undefined;
  plan: Plan = planOrder([], new Set());
  /** Position in the plan, for the order of taps. */
  readonly ranks = new Map<string, number>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The record that a name means: others of the same name are refused. */
  get(name: string): PluginRecord | undefined {
    return this.records.find((record) => record.name === name && !record.fault) ?? this.records.find((record) => record.name === name);
  }

  isThirdParty(name: string): boolean {
    const record = this.get(name);
    return record !== undefined && isThirdParty(record);
  }

  /** The only place that changes a status. */
  transition(record: PluginRecord, status: PluginStatus): void {
    const { kind } = record.status;
    if (!successors[kind].includes(status.kind)) throw new Error(`Plugin '${record.name}' cannot change from ${kind} to ${status.kind}.`);
    Object.assign(record, { status });
    if (runOf(record)) this.running.add(record);
    else this.running.delete(record);
    this.#onChange();
  }
}

export function runOf({ status }: PluginRecord): Run | undefined {
  return status.kind === 'starting' || status.kind === 'active' ? status.run : undefined;
}

const originOrder: Readonly<Record<PluginOrigin, number>> = { platform: 0, builtin: 1, bundle: 2, user: 3 };

/** A third-party plugin: its faults are its own. */
export const isThirdParty = ({ origin }: Pick<PluginRecord, 'origin'>): boolean => originOrder[origin] >= originOrder.bundle;

/** It stays on in spite of the settings. */
export const isFixed = (record: Pick<PluginRecord, 'origin' | 'manifest'>): boolean =>
  record.origin === 'platform' || (record.manifest.fixed === true && !isThirdParty(record));

/** Origin first, then name, then place. */
export function byPrecedence(left: PluginRecord, right: PluginRecord): number {
  return originOrder[left.origin] - originOrder[right.origin] || compare(left.name, right.name) || compare(left.place, right.place);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The state that reports and events show. */
export function stateOf({ status }: PluginRecord): { readonly state: PluginState; readonly reason?: string; readonly code?: string } {
  if (status.kind === 'active') return { state: 'active' };
  if (status.kind === 'starting') return { state: 'unmet', reason: 'is starting' };
  if (status.kind === 'waiting') return { state: status.state, reason: status.reason };
  return { state: 'failed', reason: messageOf(status.fault), code: codeOf(status.fault) ?? 'KRN_ERR_PLUGIN_REGISTER' };
}
