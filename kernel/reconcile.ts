// Brings what runs into line with what should run: at start, and whenever an entitlement, a setting or a switch changes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntitlementSource, PluginReport, PluginState } from './contracts.ts';
import { activate, type ActivePlugin } from './activate.ts';
import { isFixed, isOutside, type Candidate } from './discover.ts';
import { codeOf, messageOf } from './errors.ts';
import { planOrder, type Plan, type PlanInput } from './plan.ts';
import type { KernelParts } from './parts.ts';

/** For so long plugins from outside are started in one go, in milliseconds. */
const turnMs = 5;

export const switchedOff = 'switched off in the settings';

type Status = { readonly state: PluginState; readonly reason: string; readonly code?: string };

/** What the loader knows; changed only inside the kernel's serial queue. */
export class LoaderState {
  readonly candidates: Candidate[] = [];
  readonly active = new Map<string, ActivePlugin>();
  /** Name → why. */
  disabled: ReadonlyMap<string, string> = new Map();
  entitlements: EntitlementSource | undefined;
  timeoutMs = 5_000;
  plan: Plan = planOrder([], new Set());
  /** Position in the plan, for the order of taps. */
  readonly ranks = new Map<string, number>();

  /** Somebody waits for the loads. */
  want: () => void = () => undefined;
  readonly wanted = new Promise<void>((resolve) => (this.want = resolve));

  /** Who is active and did not come with the product. */
  outside(): ActivePlugin[] {
    return this.candidates.flatMap((one) => (isOutside(one) ? (this.active.get(one.name) ?? []) : []));
  }
}

/**
 * @param given services that exist without a plugin
 * @param forced plugins that must register again though nothing else changed
 * @returns faults of unloading
 */
export async function reconcile(state: LoaderState, parts: KernelParts, given: ReadonlySet<string>, forced: ReadonlySet<string>): Promise<unknown[]> {
  // Without a module (a broken file, a name that is taken) there is nothing to try again.
  for (const candidate of state.candidates) if (forced.has(candidate.name) && candidate.module) delete candidate.fault;
  const inputs = state.candidates.map((candidate) => planInput(candidate, state));
  state.plan = planOrder(inputs, given);
  state.ranks.clear();
  state.plan.order.forEach((name, index) => state.ranks.set(name, index));
  parts.hooks.forgetOrder();

  const faults = await stopAll(plannedStops(state, forced), state);
  // The first of a name: a later one has a fault.
  const sound = new Map([...state.candidates].reverse().flatMap((one) => (one.fault === undefined ? [[one.name, one]] : [])));
  let since = performance.now();
  for (const name of state.plan.order) {
    const candidate = sound.get(name);
    if (!candidate || state.active.has(name)) continue;
    const missing = candidate.manifest.requires?.some((key) => !given.has(key) && !parts.container.has(key));
    if (missing) continue;
    if (isOutside(candidate) && performance.now() - since > turnMs) {
      // However many there are, what is asked meanwhile is answered.
      await nextTurn();
      since = performance.now();
    }
    try {
      state.active.set(name, await activate(candidate, suppliersOf(candidate, state), parts, state.timeoutMs));
    } catch (fault) {
      candidate.fault = fault;
    }
  }
  return faults;
}

/** Contract: never rejects. Stops in reverse order of start. */
export async function stopAll(names: ReadonlySet<string>, state: LoaderState): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const [name, plugin] of [...state.active].reverse()) {
    if (!names.has(name)) continue;
    faults.push(...(await plugin.scope.close()));
    state.active.delete(name);
  }
  return faults;
}

/** What announcing a change compares; a report says more of each, which costs a start some milliseconds. */
export function statesOf(state: LoaderState): Map<string, { readonly state: PluginState; readonly reason?: string }> {
  return new Map(state.candidates.map((candidate) => [candidate.name, activeOf(candidate, state) ? { state: 'active' } : statusOf(candidate, state)]));
}

function activeOf(candidate: Candidate, state: LoaderState): ActivePlugin | undefined {
  return candidate.fault === undefined ? state.active.get(candidate.name) : undefined;
}

/** One row per candidate, in plan order first. */
export function reportPlugins(state: LoaderState): PluginReport[] {
  const rank = (name: string): number => state.ranks.get(name) ?? Number.MAX_SAFE_INTEGER;
  return [...state.candidates].sort((left, right) => rank(left.name) - rank(right.name)).map((candidate) => rowOf(candidate, state));
}

function rowOf(candidate: Candidate, state: LoaderState): PluginReport {
  const { name, origin, place, manifest } = candidate;
  const active = activeOf(candidate, state);
  return {
    name,
    origin,
    place,
    ...(active ? { state: 'active' } : statusOf(candidate, state)),
    ...(manifest.entitlement === undefined ? {} : { entitlement: manifest.entitlement }),
    ...(isFixed(candidate) ? { isFixed: true as const } : {}),
    ...(isOutside(candidate) && manifest.isolation !== undefined && manifest.isolation !== 'process' ? { isolation: manifest.isolation } : {}),
    bootMs: candidate.importMs + (active?.registerMs ?? 0),
    adds: active?.scope.labels ?? [],
    runningTaps: [],
    warnings: [],
  };
}

function statusOf(candidate: Candidate, state: LoaderState): Status {
  const blocked = blockOf(candidate, state);
  if (blocked) return blocked;
  const fault = state.plan.faults.get(candidate.name);
  if (fault !== undefined) return failedBy(fault);
  const failed = candidate.manifest.requires?.find((key) => state.candidates.some((one) => one.fault !== undefined && one.manifest.provides?.includes(key)));
  const reason = state.plan.unmet.get(candidate.name) ?? (failed === undefined ? 'not started' : `needs service '${failed}', whose plugin failed`);
  return { state: 'unmet', reason };
}

const failedBy = (fault: unknown): Status => ({ state: 'failed', reason: messageOf(fault), code: codeOf(fault) ?? 'KRN_ERR_PLUGIN_REGISTER' });

/** Whether some plugin should run, or should not, by what is held now. */
export function hasUnsettledEntitlements(state: LoaderState): boolean {
  return state.candidates.some((candidate) => {
    const { manifest, name, fault } = candidate;
    if (manifest.entitlement === undefined || fault !== undefined) return false;
    return state.active.has(name) !== (blockOf(candidate, state) === undefined);
  });
}

function blockOf(candidate: Candidate, state: LoaderState): Status | undefined {
  const off = isFixed(candidate) ? undefined : (candidate.instead?.off ?? state.disabled.get(candidate.name));
  if (off !== undefined) return { state: 'disabled', reason: off };
  if (candidate.fault !== undefined) return failedBy(candidate.fault);
  const key = candidate.manifest.entitlement;
  return key !== undefined && !state.entitlements?.has(key) ? { state: 'locked', reason: `needs the entitlement '${key}'` } : undefined;
}

function planInput(candidate: Candidate, state: LoaderState): PlanInput {
  const { requires = [], optional = [], provides: declared = [] } = candidate.manifest;
  // What runs provides what it provides; what does not is expected to do what it declares.
  const provides = [...(activeOf(candidate, state)?.provided ?? declared)];
  const blocked = blockOf(candidate, state);
  return { name: candidate.name, requires, optional, provides, ...(blocked ? { blocked } : {}) };
}

/** A planned provider that failed supplies nothing; once it works, its users must know. */
function suppliersOf(candidate: Candidate, { plan, active }: LoaderState): Map<string, string | undefined> {
  const { requires = [], optional = [] } = candidate.manifest;
  const supplierOf = (key: string): string | undefined => {
    const provider = plan.providers.get(key);
    return provider !== undefined && active.has(provider) ? provider : undefined;
  };
  const needed = [...requires, ...optional].filter((key) => plan.providers.get(key) !== candidate.name);
  return new Map(needed.map((key) => [key, supplierOf(key)]));
}

/** Plugins that must stop: not planned any more, forced, or using a service whose plugin changes or stops. */
function plannedStops(state: LoaderState, forced: ReadonlySet<string>): Set<string> {
  const stops = new Set([...state.active.keys()].filter((name) => forced.has(name) || !state.plan.order.includes(name)));
  const isStale = (user: string, [key, supplier]: [string, string | undefined]): boolean =>
    !state.plan.dropped.get(user)?.has(key) && (state.plan.providers.get(key) !== supplier || (supplier !== undefined && stops.has(supplier)));
  for (let size = -1; size !== stops.size;) {
    size = stops.size;
    for (const [name, { suppliers }] of state.active) if ([...suppliers].some((one) => isStale(name, one))) stops.add(name);
  }
  return stops;
}
