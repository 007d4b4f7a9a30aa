// Computes the start order of plugins, and the reasons why plugins cannot start. Pure.
import type { PluginState } from './types.ts';
import { kernelError } from './errors.ts';

export interface PlanInput {
  readonly name: string;
  readonly requires: readonly string[];
  readonly optional: readonly string[];
  readonly provides: readonly string[];
  /** State and reason if the plugin may not start, whatever its services. */
  readonly blocked?: { readonly state: PluginState; readonly reason: string };
}

export interface Plan {
  /** Names of the plugins to start. Providers come before their users; otherwise, the input order applies. */
  readonly order: readonly string[];
  readonly unmet: ReadonlyMap<string, string>;
  /** Plugins that cannot be planned because of dependency cycles or because two plugins provide the same service. */
  readonly faults: ReadonlyMap<string, Error>;
  /** Planned provider by service. */
  readonly providers: ReadonlyMap<string, string>;
  /** Optional services, by plugin, that the order ignores because they would close a cycle. */
  readonly dropped: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A plugin's dependency on another plugin's service. */
interface Edge {
  readonly user: PlanInput;
  readonly key: string;
  readonly isOptional: boolean;
}

/**
 * Plans which plugins start and in which order.
 * @param plugins in order of precedence: if two plugins provide a service, the later one fails
 * @param given services that the host provides
 */
export function planOrder(plugins: readonly PlanInput[], given: ReadonlySet<string>): Plan {
  const faults = new Map<string, Error>();
  const dropped = new Map<string, Set<string>>();
  for (;;) {
    const providers = claimServices(plugins, faults);
    const unmet = findUnmet(plugins, given, faults, providers);
    const runnable = new Map(plugins.filter((one) => !one.blocked && !faults.has(one.name) && !unmet.has(one.name)).map((one) => [one.name, one]));
    const { order, circle } = sort(runnable, providers, dropped);
    if (!circle) return { order, unmet, faults, providers, dropped };
    // Breaks a cycle at an optional dependency of the plugin with the lowest precedence.
    const [loosest] = circle.filter(({ isOptional }) => isOptional).sort((left, right) => plugins.indexOf(right.user) - plugins.indexOf(left.user));
    if (loosest) dropped.set(loosest.user.name, new Set([...(dropped.get(loosest.user.name) ?? []), loosest.key]));
    const names = circle.map(({ user }) => user.name);
    const path = [...names, names[0]].join(' → ');
    if (!loosest) for (const name of names) faults.set(name, kernelError('PLUGIN_CYCLE', { plugin: name, path }));
  }
}

/** Returns the provider of each service; adds the second provider of a service to `faults`. */
function claimServices(plugins: readonly PlanInput[], faults: Map<string, Error>): Map<string, string> {
  const providers = new Map<string, string>();
  for (const { name, provides, blocked } of plugins) {
    if (blocked || faults.has(name)) continue;
    const key = provides.find((one) => providers.has(one));
    if (key !== undefined) faults.set(name, kernelError('SERVICE_DUPLICATE', { plugin: name, key, first: providers.get(key), second: name }));
    else for (const one of provides) providers.set(one, name);
  }
  return providers;
}

/** Returns the reasons why plugins lack a service, and removes the services of these plugins from `providers`. */
function findUnmet(
  plugins: readonly PlanInput[],
  given: ReadonlySet<string>,
  faults: ReadonlyMap<string, Error>,
  providers: Map<string, string>,
): Map<string, string> {
  const unmet = new Map<string, string>();
  for (let size = -1; size !== unmet.size;) {
    size = unmet.size;
    for (const { name, requires, provides, blocked } of plugins) {
      if (blocked || faults.has(name) || unmet.has(name)) continue;
      const missing = requires.find((key) => !given.has(key) && !providers.has(key));
      if (missing === undefined) continue;
      unmet.set(name, whyMissing(missing, plugins, faults, unmet));
      for (const key of provides) if (providers.get(key) === name) providers.delete(key);
    }
  }
  return unmet;
}

function whyMissing(key: string, plugins: readonly PlanInput[], faults: ReadonlyMap<string, Error>, unmet: ReadonlyMap<string, string>): string {
  const provider = plugins.find(({ provides }) => provides.includes(key));
  if (!provider) return `needs service '${key}', which no plugin provides`;
  const state = provider.blocked?.state ?? (faults.has(provider.name) ? 'failed' : 'unmet');
  const why = provider.blocked?.reason ?? unmet.get(provider.name);
  return `needs service '${key}', provided by ${state} plugin '${provider.name}'${why === undefined ? '' : ` (${why})`}`;
}

/** Sorts providers before users, up to the first cycle. */
function sort(runnable: ReadonlyMap<string, PlanInput>, providers: ReadonlyMap<string, string>, dropped: Plan['dropped']) {
  const order: string[] = [];
  const done = new Set<PlanInput>();
  const path: Edge[] = [];
  let circle: readonly Edge[] | undefined;

  function visit(user: PlanInput): void {
    if (done.has(user) || circle) return;
    const start = path.findIndex((edge) => edge.user === user);
    if (start >= 0) return void (circle = path.slice(start));
    for (const key of new Set([...user.requires, ...user.optional])) {
      const provider = runnable.get(providers.get(key) ?? '');
      const isOptional = !user.requires.includes(key);
      if (!provider || (isOptional && (provider === user || dropped.get(user.name)?.has(key)))) continue;
      path.push({ user, key, isOptional });
      visit(provider);
      path.pop();
    }
    done.add(user);
    order.push(user.name);
  }
  for (const plugin of runnable.values()) visit(plugin);
  return { order, circle };
}
