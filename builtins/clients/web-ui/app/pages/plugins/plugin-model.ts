// Filters and sorts plugins, and summarizes their contributions. Pure.
import type { PluginRow } from 'agent-harness/client';
import { formatCount } from '../../kit/page/format.ts';
import { t, table } from '../../kit/t.ts';
import { rowOf } from '../../kit/words.ts';

export type PluginState = PluginRow['state'];
export type PluginOrigin = PluginRow['origin'];
export type PluginOrder = 'attention' | 'name' | 'boot';

export interface PluginFilter {
  readonly query: string;
  /** `undefined`: all. */
  readonly state?: PluginState | undefined;
  readonly origin?: PluginOrigin | undefined;
}

export const stateTitles: Readonly<Record<PluginState, string>> = table({
  active: 'Active',
  failed: 'Failed',
  locked: 'Locked',
  unmet: 'Unmet',
  disabled: 'Off',
});
export const originTitles: Readonly<Record<PluginOrigin, string>> = table({ platform: 'Platform', builtin: 'Built-in', bundle: 'Bundle', user: 'Yours' });
export const isolationTitles: Readonly<Record<NonNullable<PluginRow['isolation']>, string>> = table({
  child: 'Isolated',
});

/** Isolation of a third-party plugin. */
export type PluginPlace = NonNullable<PluginRow['chosen']> | 'manifest';
export const placeTitles: Readonly<Record<PluginPlace, string>> = table({
  manifest: 'Default: isolated if installed or if its manifest says so',
  process: 'In the server process, with all its rights',
  child: 'Isolated in a child process',
});

const stateOrder: readonly PluginState[] = ['failed', 'unmet', 'locked', 'disabled', 'active'];

export function filterPlugins(plugins: readonly PluginRow[], { query, state, origin }: PluginFilter): PluginRow[] {
  const words = query.toLowerCase().split(/\s+/);
  return plugins.filter((plugin) => {
    const text = `${plugin.name}\n${plugin.reason ?? ''}\n${(plugin.warnings ?? []).join('\n')}\n${plugin.adds.join('\n')}`.toLowerCase();
    return (state === undefined || plugin.state === state) && (origin === undefined || plugin.origin === origin) && words.every((word) => text.includes(word));
  });
}

export function orderPlugins(plugins: readonly PluginRow[], order: PluginOrder): PluginRow[] {
  const byName = (a: PluginRow, b: PluginRow): number => a.name.localeCompare(b.name, 'en');
  const compare: Readonly<Record<PluginOrder, (a: PluginRow, b: PluginRow) => number>> = {
    name: byName,
    boot: (a, b) => b.bootMs - a.bootMs || byName(a, b),
    attention: (a, b) => urgencyOf(a.state) - urgencyOf(b.state) || byName(a, b),
  };
  return [...plugins].sort(compare[order]);
}

/** Plugins that need attention come first. Disabled ones sort like active ones, so that a row keeps its place while it is switched. */
function urgencyOf(state: PluginState): number {
  return state === 'disabled' ? stateOrder.indexOf('active') : stateOrder.indexOf(state);
}

/** Counts the plugins in each state; leaves out empty states. */
export function countStates(plugins: readonly PluginRow[]): { readonly state: PluginState; readonly count: number }[] {
  return stateOrder.map((state) => ({ state, count: plugins.filter((plugin) => plugin.state === state).length })).filter(({ count }) => count > 0);
}

export interface Additions {
  readonly title: string;
  readonly names: readonly string[];
}

/** Known kinds, singular and plural, by importance; others follow under their own name. */
const additionWords: Readonly<Record<string, readonly [string, string]>> = table({
  tool: ['tool', 'tools'],
  tool_family: ['tool family', 'tool families'],
  slash_command: ['slash command', 'slash commands'],
  cli_command: ['terminal command', 'terminal commands'],
  model_adapter: ['model adapter', 'model adapters'],
  'ui.panel': ['panel', 'panels'],
  settings_tab: ['settings tab', 'settings tabs'],
  route: ['route', 'routes'],
  service: ['service', 'services'],
  point: ['contribution point', 'contribution points'],
  event: ['event', 'events'],
  wire_event: ['event for clients', 'events for clients'],
  hook: ['hook', 'hooks'],
  tap: ['tap on a hook', 'taps on hooks'],
});

/** `route:GET /api/chats` → under `routes`. */
export function groupAdditions(adds: readonly string[]): Additions[] {
  const groups = new Map<string, string[]>();
  for (const label of adds) {
    const at = label.indexOf(':');
    const [kind, name] = at < 0 ? ['other', label] : [label.slice(0, at), label.slice(at + 1)];
    groups.set(kind, [...(groups.get(kind) ?? []), name]);
  }
  const known = Object.keys(additionWords).filter((kind) => groups.has(kind));
  const others = [...groups.keys()].filter((kind) => !known.includes(kind));
  return [...known, ...others].map((kind) => {
    const names = groups.get(kind) ?? [];
    const [one, many] = additionWords[kind] ?? [kind.replaceAll('_', ' '), kind.replaceAll('_', ' ')];
    return { title: names.length === 1 ? one : many, names };
  });
}

/** `2 tools, 1 route, 3 hooks`; beyond three kinds the rest is summed up. */
export function summarizeAdditions(adds: readonly string[]): string {
  const groups = groupAdditions(adds);
  const named = groups.length > 4 ? groups.slice(0, 3) : groups;
  const others = groups.slice(named.length).reduce((sum, { names }) => sum + names.length, 0);
  return rowOf([
    ...named.map(({ title, names }) => `${formatCount(names.length)} ${title}`),
    ...(others > 0 ? [t('{others} more', { others: formatCount(others) })] : []),
  ]);
}

/** Returns what would activate an inactive plugin; `undefined` if nothing is missing or it is unknown. */
export function remedyOf({ state, entitlement, asks = [] }: Pick<PluginRow, 'state' | 'entitlement' | 'asks'>): string | undefined {
  if (state === 'locked') return tierSentence(entitlement);
  if (state === 'unmet') return t('It starts by itself once a plugin brings what it needs.');
  // Its requests are shown beside it, with the button.
  if (asks.length > 0) return undefined;
  if (state === 'failed') return t('Mend the cause, then switch it off and on again or restart the server.');
  return undefined;
}

function tierSentence(entitlement: string | undefined): string {
  const tier = /^(pro|team|enterprise)\./.exec(entitlement ?? '')?.[1];
  return tier === undefined ? t('It starts once the account unlocks it.') : t('It starts once an account of the tier {tier} or above is signed in.', { tier });
}
