// Groups, sorts and filters the plugins for their page, and describes their contributions. Pure.
import type { PluginRow } from 'agent-harness/client';
import { formatCount } from '../../kit/page/format.ts';
import { localeNow, t, table } from '../../kit/t.ts';
import { rowOf } from '../../kit/short-texts.ts';
import { describePlugin, groupOf, type PluginTexts } from './plugin-texts.ts';

export type PluginState = PluginRow['state'];

export const stateTitles: Readonly<Record<PluginState, string>> = table({
  active: 'Active',
  failed: 'Failed',
  locked: 'Locked',
  unmet: 'Unmet',
  disabled: 'Off',
});

/** Isolation of a third-party plugin. */
export type PluginPlace = NonNullable<PluginRow['chosen']> | 'manifest';
export const placeTitles: Readonly<Record<PluginPlace, string>> = table({
  manifest: 'Default: isolated if installed or if its manifest says so',
  process: 'In the server process, with all its rights',
  child: 'Isolated in a child process',
});

/** Contributions of plugins by name. The server reports none for a disabled plugin, so the page keeps the last known ones. */
export type KnownAdditions = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the matching plugins in an order that does not depend on their state, so that a row does not move or vanish when it is toggled.
 * @param query words that must all occur in the displayed texts of a plugin, its id, or its contributions
 */
export function filterPlugins(plugins: readonly PluginRow[], query: string, words: PluginTexts, known: KnownAdditions = new Map()): PluginRow[] {
  const wanted = query.toLowerCase().split(/\s+/);
  return byTitle(plugins, words).filter((plugin) => {
    const { name, reason = '', warnings = [], adds } = plugin;
    const { title, about = '' } = describePlugin(plugin, words);
    const text = [name, title, about, reason, ...warnings, ...adds, ...(known.get(name) ?? [])].join('\n').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function byTitle(plugins: readonly PluginRow[], words: PluginTexts): PluginRow[] {
  const titleOf = (plugin: PluginRow): string => describePlugin(plugin, words).title;
  return plugins.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), localeNow()));
}

export interface PluginSections {
  readonly troubled: readonly PluginRow[];
  readonly installed: readonly PluginRow[];
  readonly locked: readonly PluginRow[];
  readonly groups: readonly { readonly group: string; readonly plugins: readonly PluginRow[] }[];
}

/** Assigns each plugin to one section and sorts it by title. A disabled plugin keeps its position, so that its row does not move when toggled. */
export function sortPlugins(plugins: readonly PluginRow[], words: PluginTexts): PluginSections {
  const sorted = byTitle(plugins, words);
  const [locked, open] = [sorted.filter(({ state }) => state === 'locked'), sorted.filter(({ state }) => state !== 'locked')];
  const [troubled, calm] = [open.filter(isTroubled), open.filter((plugin) => !isTroubled(plugin))];
  const isOwn = ({ origin }: PluginRow): boolean => origin === 'user' || origin === 'bundle';
  const builtIn = calm.filter((plugin) => !isOwn(plugin));
  return {
    troubled,
    installed: calm.filter(isOwn),
    locked,
    groups: Object.keys(words.members)
      .map((group) => ({ group, plugins: builtIn.filter((plugin) => groupOf(plugin, words) === group) }))
      .filter((one) => one.plugins.length > 0),
  };
}

function isTroubled(plugin: PluginRow): boolean {
  const { state, asks = [], warnings = [] } = plugin;
  if (state === 'disabled') return isQuarantined(plugin);
  return state === 'failed' || state === 'unmet' || asks.length + warnings.length > 0;
}

/** Returns whether the plugin is disabled for a reason other than the user's choice. */
export const isQuarantined = ({ state, reason = chosenOff }: Pick<PluginRow, 'state' | 'reason'>): boolean => state === 'disabled' && reason !== chosenOff;

/** Reason that the kernel reports for a plugin that the user switched off. */
const chosenOff = 'switched off in the settings';

export interface Additions {
  readonly title: string;
  readonly names: readonly string[];
}

/** Known kinds, singular and plural, by importance; other kinds follow under their own name. */
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

/** Groups additions by kind: `route:GET /api/chats` is listed under `routes`. */
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

/** Returns a summary such as `2 tools, 1 route, 3 hooks`; kinds after the third are counted together. */
export function summarizeAdditions(adds: readonly string[]): string {
  const groups = groupAdditions(adds);
  const named = groups.length > 4 ? groups.slice(0, 3) : groups;
  const others = groups.slice(named.length).reduce((sum, { names }) => sum + names.length, 0);
  return rowOf([
    ...named.map(({ title, names }) => `${formatCount(names.length)} ${title}`),
    ...(others > 0 ? [t('{others} more', { others: formatCount(others) })] : []),
  ]);
}

/** Returns the remedy for an inactive plugin; `undefined` if there is none or it is unknown. */
export function remedyOf({ state, entitlement, asks = [] }: Pick<PluginRow, 'state' | 'entitlement' | 'asks'>): string | undefined {
  if (state === 'locked') return tierSentence(entitlement);
  if (state === 'unmet') return t('It starts as soon as a plugin provides what it needs.');
  // The row shows the requested capabilities with the button.
  if (asks.length > 0) return undefined;
  if (state === 'failed') return t('Fix the cause, then switch it off and on again or restart the server.');
  return undefined;
}

function tierSentence(entitlement: string | undefined): string {
  const tier = /^(pro|team|enterprise)\./.exec(entitlement ?? '')?.[1];
  return tier === undefined ? t('It starts once the account unlocks it.') : t('It starts once an account of the tier {tier} or above is signed in.', { tier });
}
