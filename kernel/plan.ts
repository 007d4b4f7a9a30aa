// Computes the start order, and why a plugin cannot start. Pure.
import type { PluginState } from './types.ts';
import { kernelError } from './errors.ts';

export interface PlanInput {
  readonly name: string;
  readonly requires: readonly string[];
  readonly optional: readonly string[];
  readonly provides: readonly string[];
  /** Set if it may not start at all. */
  readonly blocked?: { readonly state: PluginState; readonly reason: string };
}

export interface Plan {
  /** Providers before users; otherwise in the order of the input. */
  readonly order: readonly string[];
  readonly unmet: ReadonlyMap<string, string>;
  /** Plugins that cannot be planned: circles, and services provided twice. */
  readonly faults: ReadonlyMap<string, Error>;
  /** Service → the plugin that will provide it. */
  readonly providers: ReadonlyMap<string, string>;
  /** Optional needs ignored in the order because they would close a circle. */
  readonly dropped: DroppedNeeds;
}

/** Plugin → services. */
export type DroppedNeeds = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * @param plugins in order of precedence: if two provide the same service, the later one fails
 * @param given services that exist without a plugin
 */
export function planOrder(plugins: readonly PlanInput[], given: ReadonlySet<string>): Plan {
  const faults = new Map<string, Error>();
  const dropped = new Map<string, Set<string>>();
  for (;;) {
    const { plan, circle } = planOnce(plugins, given, faults, dropped);
    if (!circle) return plan;
    // In a circle, the optional need of the plugin with the lowest precedence is dropped.
    const [loosest] = circle.filter(({ isOptional }) => isOptional).sort((left, right) => plugins.indexOf(right.user) - plugins.indexOf(left.user));
    if (loosest) dropped.set(loosest.user.name, new Set([...(dropped.get(loosest.user.name) ?? []), loosest.key]));
    else failCircle(circle, faults);
  }
}

function failCircle(circle: readonly Edge[], faults: Map<string, Error>): void {
  const names = circle.map(({ user }) => user.name);
  const path = [...names, names[0]].join(' → ');
  for (const name of names) faults.set(name, kernelError('PLUGIN_CYCLE', { plugin: name, path }));
}

/** A plugin that needs a service of another. */
interface Edge {
  readonly user: PlanInput;
  readonly key: string;
  readonly isOptional: boolean;
}

function planOnce(
  plugins: readonly PlanInput[],
  given: ReadonlySet<string>,
  faults: Map<string, Error>,
  dropped: DroppedNeeds,
): { plan: Plan; circle?: readonly Edge[] } {
  const unmet = new Map<string, string>();
  const providers = claimServices(plugins, faults);
  const isOut = (plugin: PlanInput): boolean => plugin.blocked !== undefined || faults.has(plugin.name) || unmet.has(plugin.name);

  for (let changed = true; changed;) {
    changed = false;
    for (const plugin of plugins) {
      if (isOut(plugin)) continue;
      const missing = plugin.requires.find((key) => !given.has(key) && !providers.has(key));
      if (missing === undefined) continue;
      unmet.set(plugin.name, whyMissing(missing, plugins, faults, unmet));
      for (const key of plugin.provides) if (providers.get(key) === plugin.name) providers.delete(key);
      changed = true;
    }
  }

  const runnable = new Map(plugins.filter((plugin) => !isOut(plugin)).map((plugin) => [plugin.name, plugin]));
  const order: string[] = [];
  const path: Edge[] = [];
  const done = new Set<string>();
  let circle: readonly Edge[] | undefined;

  function visit(user: PlanInput): void {
    if (done.has(user.name) || circle) return;
    const start = path.findIndex((edge) => edge.user === user);
    if (start >= 0) {
      circle = path.slice(start);
      return;
    }
    for (const key of new Set([...user.requires, ...user.optional])) {
      const provider = runnable.get(providers.get(key) ?? '');
      const isOptional = !user.requires.includes(key);
      if (!provider || (isOptional && (provider === user || dropped.get(user.name)?.has(key)))) continue;
      path.push({ user, key, isOptional });
      visit(provider);
      path.pop();
    }
    done.add(user.name);
    order.push(user.name);
  }
  for (const plugin of runnable.values()) visit(plugin);
  return { plan: { order, unmet, faults, providers, dropped }, ...(circle ? { circle } : {}) };
}

function claimServices(plugins: readonly PlanInput[], faults: Map<string, Error>): Map<string, string> {
  const providers = new Map<string, string>();
  for (const plugin of plugins) {
    if (plugin.blocked || faults.has(plugin.name)) continue;
    const twice = plugin.provides.find((key) => providers.has(key));
    if (twice !== undefined) {
      faults.set(plugin.name, kernelError('SERVICE_DUPLICATE', { plugin: plugin.name, key: twice, first: providers.get(twice), second: plugin.name }));
      continue;
    }
    for (const key of plugin.provides) providers.set(key, plugin.name);
  }
  return providers;
}

function whyMissing(key: string, plugins: readonly PlanInput[], faults: ReadonlyMap<string, Error>, unmet: ReadonlyMap<string, string>): string {
  const provider = plugins.find((plugin) => plugin.provides.includes(key));
  if (!provider) return `needs service '${key}', which no plugin provides`;
  const state = provider.blocked?.state ?? (faults.has(provider.name) ? 'failed' : 'unmet');
  const why = provider.blocked?.reason ?? unmet.get(provider.name);
  return `needs service '${key}', provided by ${state} plugin '${provider.name}'${why === undefined ? '' : ` (${why})`}`;
}
