// Starts and stops plugins to match the wanted state: at start, and after each change of an entitlement, a setting or a switch.
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { startPlugin, stopPlugin } from './lifecycle.ts';
import type { KernelParts } from './parts.ts';
import { planOrder, type PlanInput } from './plan.ts';
import { isFixed, isThirdParty, notStarted, runOf, stateOf, type PluginRecord, type PluginStatus, type PluginTable, type Run } from './record.ts';

/** Milliseconds for which third-party plugins start without a pause before requests are served. */
const turnMs = 5;
/** Milliseconds after which the import or `register` of a third-party plugin continues in the background. */
export const besideMs = 20;

/**
 * Runs one pass. Third-party plugins register concurrently; the pass does not wait for slow ones.
 * @param given services that exist without a plugin
 * @param forced plugins that must register again although nothing else changed
 * @param onLate called when a slow plugin has registered, so that another pass starts its dependants
 * @returns faults of unloading
 */
export async function reconcile(
  table: PluginTable,
  parts: KernelParts,
  given: ReadonlySet<string>,
  { forced, limitMs, onLate }: { readonly forced: ReadonlySet<PluginRecord>; readonly limitMs: number; readonly onLate: () => void },
): Promise<unknown[]> {
  for (const record of table.records) {
    const { status } = record;
    if (status.kind === 'failed' && (status.isPlanned || (forced.has(record) && !record.fault))) table.transition(record, notStarted);
  }
  table.plan = planOrder(
    table.records.map((record) => planInput(record, table)),
    given,
  );
  table.ranks.clear();
  table.plan.order.forEach((name, index) => table.ranks.set(name, index));
  parts.hooks.forgetOrder();
  const faults = await stopAll(plannedStops(table, forced), table);
  const isThere = (key: string): boolean => given.has(key) || parts.container.has(key);
  const beside = new Set<PluginRecord>();
  for (let isPaused = false; !isPaused;) {
    const late = await startReady(table, parts, isThere, limitMs);
    for (const one of late) beside.add(one);
    isPaused = beside.size === 0 || (await Promise.race([...[...beside].map((one) => runOf(one)?.done), delay(besideMs, true)])) === true;
    for (const one of beside) if (one.status.kind !== 'starting') beside.delete(one);
  }
  for (const one of beside) void runOf(one)?.done.then(onLate);
  for (const record of table.records) if (!runOf(record)) table.transition(record, idleStatus(record, table));
  return faults;
}

/** Starts every planned plugin that may start now. Returns the third-party plugins still in `register`. */
async function startReady(table: PluginTable, parts: KernelParts, isThere: (key: string) => boolean, limitMs: number): Promise<PluginRecord[]> {
  const started: PluginRecord[] = [];
  const tried = new Map([...table.records].reverse().flatMap((one) => (holdOf(one, table) ? [] : [[one.name, one]])));
  let since = performance.now();
  for (const name of table.plan.order) {
    const record = tried.get(name);
    if (!record || record.status.kind !== 'waiting' || record.manifest.requires?.every(isThere) === false) continue;
    if (startingSupplier(record, table) !== undefined) continue;
    if (isThirdParty(record) && performance.now() - since > turnMs) {
      await nextTurn();
      since = performance.now();
    }
    const start = startPlugin(record, suppliersOf(record, table), table, parts, limitMs);
    if (isThirdParty(record)) started.push(record);
    else await start;
  }
  return started.filter(({ status }) => status.kind === 'starting');
}

/** Contract: never rejects. Stops in reverse order of start. */
export async function stopAll(records: ReadonlySet<PluginRecord>, table: PluginTable): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const record of [...table.running].reverse()) if (records.has(record)) faults.push(...(await stopPlugin(record, table)));
  return faults;
}

/** Returns whether the current entitlements require a plugin to start or stop. */
export function hasUnsettledEntitlements(table: PluginTable): boolean {
  return table.records.some((record) => {
    const { manifest, status } = record;
    if (manifest.entitlement === undefined || status.kind === 'failed') return false;
    return (runOf(record) !== undefined) !== (holdOf(record, table) === undefined);
  });
}

/** Returns why a plugin may not run, regardless of the others. */
function holdOf(record: PluginRecord, table: PluginTable): PluginStatus | undefined {
  const off = isFixed(record) ? undefined : (record.entry.off ?? table.disabled.get(record.name));
  if (off !== undefined) return { kind: 'waiting', state: 'disabled', reason: off };
  if (record.fault) return { kind: 'failed', fault: record.fault };
  if (record.status.kind === 'failed' && !record.status.isPlanned) return record.status;
  const key = record.manifest.entitlement;
  return key === undefined || table.entitlements?.has(key) ? undefined : { kind: 'waiting', state: 'locked', reason: `needs the entitlement '${key}'` };
}

/** Returns the status of a plugin that does not run after a pass. */
function idleStatus(record: PluginRecord, table: PluginTable): PluginStatus {
  const hold = holdOf(record, table);
  if (hold) return hold;
  const { plan, records } = table;
  const fault = plan.faults.get(record.name);
  if (fault !== undefined) return { kind: 'failed', fault, isPlanned: true };
  const unmet = plan.unmet.get(record.name);
  if (unmet !== undefined) return { kind: 'waiting', state: 'unmet', reason: unmet };
  const slow = startingSupplier(record, table);
  if (slow !== undefined) return { kind: 'waiting', state: 'unmet', reason: `waits for plugin '${slow}', which is starting` };
  const failed = record.manifest.requires?.find((key) => records.some(({ manifest, status }) => status.kind === 'failed' && manifest.provides?.includes(key)));
  return failed === undefined ? notStarted : { kind: 'waiting', state: 'unmet', reason: `needs service '${failed}', whose plugin failed` };
}

function planInput(record: PluginRecord, table: PluginTable): PlanInput {
  const { name, manifest, status } = record;
  const { requires = [], optional = [], provides: declared = [] } = manifest;
  // An active plugin counts with the services it provides now; any other with those it declares.
  const provides = status.kind === 'active' ? [...status.run.provided] : declared;
  const hold = holdOf(record, table);
  if (!hold) return { name, requires, optional, provides };
  const [state, reason] =
    hold.kind === 'waiting' ? ([hold.state, hold.reason] as const) : (['failed', stateOf({ ...record, status: hold }).reason ?? ''] as const);
  return { name, requires, optional, provides, blocked: { state, reason } };
}

/** Returns the services of other plugins that order this one, with the planned provider of each. */
function needsOf({ name, manifest: { requires = [], optional = [] } }: PluginRecord, { plan }: PluginTable): [key: string, provider: string | undefined][] {
  const keys = new Set([...requires, ...optional.filter((key) => !plan.dropped.get(name)?.has(key))]);
  return [...keys].flatMap((key) => {
    const provider = plan.providers.get(key);
    return provider === name ? [] : [[key, provider]];
  });
}

/** Returns a plugin that this one waits for: one that is starting, or waits for one that is. */
function startingSupplier(record: PluginRecord, table: PluginTable): string | undefined {
  for (const [, name] of needsOf(record, table)) {
    const provider = name === undefined ? undefined : table.get(name);
    if (provider?.status.kind === 'starting') return name;
    const slow = provider?.status.kind === 'waiting' && !holdOf(provider, table) ? startingSupplier(provider, table) : undefined;
    if (slow !== undefined) return slow;
  }
  return undefined;
}

/** A planned provider that failed supplies nothing; once it works, its dependants must register again. */
function suppliersOf(record: PluginRecord, table: PluginTable): Run['suppliers'] {
  const isActive = (name: string | undefined): boolean => name !== undefined && table.get(name)?.status.kind === 'active';
  return new Map(needsOf(record, table).map(([key, provider]) => [key, isActive(provider) ? provider : undefined]));
}

/** Returns the plugins that must stop: no longer planned, forced, or using a service whose plugin changes or stops. */
function plannedStops(table: PluginTable, forced: ReadonlySet<PluginRecord>): Set<PluginRecord> {
  const { plan, running } = table;
  const planned = new Set(plan.order);
  const stops = new Set([...running].filter((one) => forced.has(one) || !planned.has(one.name) || !table.records.includes(one)));
  const isStopping = (name: string | undefined): boolean => [...stops].some((one) => one.name === name);
  const isStale = (user: PluginRecord, { suppliers }: Run): boolean =>
    needsOf(user, table).some(([key, provider]) => suppliers.get(key) !== provider || (provider !== undefined && isStopping(provider)));
  for (let size = -1; size !== stops.size;) {
    size = stops.size;
    for (const one of running) {
      const run = runOf(one);
      if (run && isStale(one, run)) stops.add(one);
    }
  }
  return stops;
}
