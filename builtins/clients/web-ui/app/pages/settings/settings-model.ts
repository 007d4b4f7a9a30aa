// What the settings page shows of the server's fields, and where a value comes from. Pure.
import type { Settings } from 'agent-harness/client';

export type SettingField = Settings['fields'][number];

export interface SettingGroup {
  /** The plugin that declares the fields. */
  readonly name: string;
  readonly fields: readonly SettingField[];
}

export interface SettingSection {
  readonly id: string;
  readonly title: string;
  readonly groups: readonly SettingGroup[];
}

export interface ShownSettings {
  /** A tab's id; `undefined` shows every tab that has a match. */
  readonly tab?: string | undefined;
  readonly query: string;
}

/** Sections in the order of the tabs; those without a field are left out, except for the chosen tab. */
export function sectionsOf({ tabs, fields }: Pick<Settings, 'tabs' | 'fields'>, { tab, query }: ShownSettings): SettingSection[] {
  const wanted = fields.filter((field) => matchesQuery(field, query));
  return tabs
    .filter(({ id }) => tab === undefined || id === tab)
    .map(({ id, title }) => ({ id, title, groups: groupsOf(wanted.filter((field) => field.tab === id)) }))
    .filter(({ id, groups }) => groups.length > 0 || id === tab);
}

function groupsOf(fields: readonly SettingField[]): SettingGroup[] {
  const groups = new Map<string, SettingField[]>();
  for (const field of fields) groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return [...groups].map(([name, members]) => ({ name, fields: members }));
}

/** Each word of the query occurs somewhere in label, description, variable or plugin. */
export function matchesQuery({ label, description, key, group }: SettingField, query: string): boolean {
  const text = `${label}\n${description}\n${key}\n${group}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Which model answers comes before how often it is asked again. */
export const providerTab = 'models_api';

const providerWords = 'provider model api key base url endpoint inference managed own account demo answers';

/** Whether the card of the provider is among what is searched for. */
export function matchesProvider(query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => providerWords.includes(word));
}

export function countFields(sections: readonly SettingSection[]): number {
  return sections.flatMap((section) => section.groups).reduce((sum, group) => sum + group.fields.length, 0);
}

/** `model-chat-completions` → `Model chat completions` */
export function titleOfGroup(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where the value in force comes from, in a word. What the environment sets is locked; the `.env` file only sets a start value. */
export function sourceWord({ source, locked }: Pick<SettingField, 'source' | 'locked'>): string {
  if (source === 'fleet') return 'Your team';
  if (locked) return 'Environment';
  return source === 'environment' ? '.env file' : source === 'preferences' ? 'Changed here' : 'Default';
}

/** Why it cannot be changed here; `undefined` where it can. */
export function lockReason({ key, locked, sensitive, source }: Pick<SettingField, 'key' | 'locked' | 'sensitive' | 'source'>): string | undefined {
  if (sensitive) return `A secret. It is never shown and never saved from a page: put ${key}=… into the .env file of the server and start it again.`;
  if (source === 'fleet') return 'Set by your team for all its machines, so it can be changed only there.';
  if (locked) return `Set in the environment of the server as ${key}, so it can be changed only there.`;
  return undefined;
}

/** A value as the text that the server takes for it. */
export function textOf(value: SettingField['value']): string {
  return value === null ? '' : String(value);
}

/** A value as people read it. */
export function wordOf(field: Pick<SettingField, 'kind'>, value: SettingField['value']): string {
  if (field.kind === 'boolean') return value === true ? 'on' : 'off';
  if (value === null || value === '') return 'nothing';
  return typeof value === 'number' ? new Intl.NumberFormat('en').format(value) : String(value);
}

/** `90000` → `1 min 30 s`; `undefined` for what is no time in milliseconds, and below a second. */
export function durationWords(field: Pick<SettingField, 'key'>, text: string): string | undefined {
  const ms = Number(text);
  if (!field.key.endsWith('_MS') || text.trim() === '' || !Number.isFinite(ms) || ms < 1000) return undefined;
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** What is saved and waits for the end of a turn. */
export function pendingLabels({ fields, pending: { env, inferenceMode } }: Pick<Settings, 'fields' | 'pending'>): string[] {
  const labels = Object.keys(env).map((key) => fields.find((field) => field.key === key)?.label ?? key);
  return inferenceMode === undefined ? labels : [...labels, 'Inference mode'];
}
