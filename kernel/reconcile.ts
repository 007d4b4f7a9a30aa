// Starts and stops plugins to match the desired state: at startup, and after a change of an entitlement, a setting or the set of disabled plugins.
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { startPlugin, stopPlugin } from './lifecycle.ts';
import type { KernelParts } from './parts.ts';
import { planOrder, type PlanInput } from './plan.ts';
import { isFixed, isThirdParty, notStarted, runOf, stateOf, type PluginRecord, type PluginStatus, type PluginTable, type Run } from './record.ts';

/** Milliseconds for which third-party plugins may start before requests are handled. */
const turnMs = 5;
/** Milliseconds after which the import or `register` of a third-party plugin continues in the background. */
export const besideMs = 20;

/**
 * Runs one pass. Third-party plugins register concurrently. The pass does not wait for slow plugins; another pass starts the plugins that depend on them.
 * @param forced plugins that must register again although nothing else has changed
 * @returns the errors of stopped plugins
 */
export async function reconcile(parts: KernelParts, forced: ReadonlySet<PluginRecord>): Promise<unknown[]> {
  const { table, given, hooks } = parts;
  for (const record of table.records) {
    const { status } = record;
    if (status.kind === 'failed' && (status.isPlanned || (forced.has(record) && !record.fault))) table.transition(record, notStarted);
  }
  const inputs = table.records.map((record) => planInput(record, table));
  table.plan = planOrder(inputs, given);
  table.ranks.clear();
  table.plan.order.forEach((name, index) => table.ranks.set(name, index));
  hooks.forgetOrder();
  const faults = await stopAll(plannedStops(table, forced), table);
  const beside = new Set<PluginRecord>();
  for (let isPaused = false; !isPaused;) {
    for (const one of await startReady(parts)) beside.add(one);
    isPaused = beside.size === 0 || (await Promise.race([...[...beside].map((one) => runOf(one)?.done), delay(besideMs, true)])) === true;
    for (const one of beside) if (one.status.kind !== 'starting') beside.delete(one);
  }
  for (const one of beside) void runOf(one)?.done.then(() => parts.settleLater('start plugins'));
  for (const record of table.records) if (!runOf(record)) table.transition(record, idleStatus(record, table));
  return faults;
}

/** Starts every planned plugin whose dependencies are ready. Returns the third-party plugins still in `register`. */
async function startReady(parts: KernelParts): Promise<PluginRecord[]> {
  const { table, given, container } = parts;
  const isPresent = (key: string): boolean => given.has(key) || container.has(key);
  const started: PluginRecord[] = [];
  let since = performance.now();
  for (const name of table.plan.order) {
    const record = table.get(name);
    if (record?.status.kind !== 'waiting' || holdOf(record, table) || record.manifest.requires?.every(isPresent) === false) continue;
    if (startingSupplier(record, table) !== undefined) continue;
    if (isThirdParty(record) && performance.now() - since > turnMs) {
      await nextTurn();
      since = performance.now();
    }
    const start = startPlugin(record, suppliersOf(record, table), parts);
    if (isThirdParty(record)) started.push(record);
    else await start;
  }
  return started.filter(({ status }) => status.kind === 'starting');
}

/** Stops plugins in reverse start order. Never rejects; returns the errors. */
export async function stopAll(records: ReadonlySet<PluginRecord>, table: PluginTable): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const record of [...table.running].reverse()) if (records.has(record)) faults.push(...(await stopPlugin(record, table)));
  return faults;
}

/** Returns whether the current entitlements require a plugin to start or stop. */
export function hasUnsettledEntitlements(table: PluginTable): boolean {
  const gated = table.records.filter(({ manifest, status }) => manifest.entitlement !== undefined && status.kind !== 'failed');
  return gated.some((record) => (runOf(record) === undefined) === (holdOf(record, table) === undefined));
}

/** Returns why a plugin may not run, independently of the others. */
function holdOf(record: PluginRecord, table: PluginTable): Exclude<PluginStatus, { readonly run: Run }> | undefined {
  const { name, fault, status, entry } = record;
  const off = isFixed(record) ? undefined : (entry.off ?? table.disabled.get(name));
  if (off !== undefined) return { kind: 'waiting', state: 'disabled', reason: off };
  if (fault) return { kind: 'failed', fault };
  if (status.kind === 'failed' && !status.isPlanned) return status;
  const key = record.manifest.entitlement;
  return key === undefined || table.entitlements?.has(key) ? undefined : { kind: 'waiting', state: 'locked', reason: `needs the entitlement '${key}'` };
}

/** Returns the status of a plugin that does not run after a pass. */
function idleStatus(record: PluginRecord, table: PluginTable): PluginStatus {
  const { plan, records } = table;
  const fault = plan.faults.get(record.name);
  const slow = startingSupplier(record, table);
  const isFailing = (key: string): boolean => records.some(({ manifest, status }) => status.kind === 'failed' && manifest.provides?.includes(key as never));
  const failed = record.manifest.requires?.find(isFailing);
  const unmet = (reason: string): PluginStatus => ({ kind: 'waiting', state: 'unmet', reason });
  const reason =
    plan.unmet.get(record.name) ??
    (slow === undefined ? undefined : `waits for plugin '${slow}', which is starting`) ??
    (failed === undefined ? undefined : `needs service '${failed}', whose plugin failed`);
  return holdOf(record, table) ?? (fault ? { kind: 'failed', fault, isPlanned: true } : reason === undefined ? notStarted : unmet(reason));
}

function planInput(record: PluginRecord, table: PluginTable): PlanInput {
  const { name, manifest, status } = record;
  const { requires = [], optional = [] } = manifest;
  // An active plugin may have withdrawn services that it declares.
  const provides = status.kind === 'active' ? [...status.run.provided] : (manifest.provides ?? []);
  const hold = holdOf(record, table);
  if (!hold) return { name, requires, optional, provides };
  const { state, reason = '' } = stateOf({ status: hold });
  return { name, requires, optional, provides, blocked: { state, reason } };
}

/** Returns the dependencies that determine the position of this plugin, with their planned providers. */
function needsOf({ name, manifest: { requires = [], optional = [] } }: PluginRecord, { plan }: PluginTable): [key: string, provider: string | undefined][] {
  const keys = new Set([...requires, ...optional.filter((key) => !plan.dropped.get(name)?.has(key))]);
  return [...keys].map((key): [string, string | undefined] => [key, plan.providers.get(key)]).filter(([, provider]) => provider !== name);
}

/** Returns a plugin that this plugin waits for, directly or indirectly, because it is still starting. */
function startingSupplier(record: PluginRecord, table: PluginTable): string | undefined {
  for (const [, name] of needsOf(record, table)) {
    const provider = name === undefined ? undefined : table.get(name);
    if (provider?.status.kind === 'starting') return name;
    const slow = provider?.status.kind === 'waiting' && !holdOf(provider, table) ? startingSupplier(provider, table) : undefined;
    if (slow !== undefined) return slow;
  }
  return undefined;
}

/** Returns the provider of each service that the plugin uses. Ignores failed providers, so that the plugin registers again once one of them works. */
function suppliersOf(record: PluginRecord, table: PluginTable): Run['suppliers'] {
  const isActive = (name: string | undefined): boolean => name !== undefined && table.get(name)?.status.kind === 'active';
  return new Map(needsOf(record, table).map(([key, provider]) => [key, isActive(provider) ? provider : undefined]));
}

/** Returns the plugins that must stop: those no longer planned, those forced, and those using a service of a plugin that changes or stops. */
function plannedStops(table: PluginTable, forced: ReadonlySet<PluginRecord>): Set<PluginRecord> {
  const { plan, running, records } = table;
  const planned = new Set(plan.order);
  const stops = new Set([...running].filter((one) => forced.has(one) || !planned.has(one.name) || !records.includes(one)));
  const isStopping = (name: string | undefined): boolean => [...stops].some((one) => one.name === name);
  const isStale = (user: PluginRecord): boolean =>
    needsOf(user, table).some(([key, provider]) => runOf(user)?.suppliers.get(key) !== provider || (provider !== undefined && isStopping(provider)));
  for (let size = -1; size !== stops.size;) {
    size = stops.size;
    for (const one of running) if (isStale(one)) stops.add(one);
  }
  return stops;
}
