// Prepares the server's fields for the settings page, including the source of each value. Pure.
import type { Settings } from 'agent-harness/client';
import { formatCount } from '../../kit/page/format.ts';
import { t, tn } from '../../kit/t.ts';

export type SettingField = Settings['fields'][number];

export interface SettingGroup {
  /** The plugin that declares the fields. */
  readonly name: string;
  readonly fields: readonly SettingField[];
}

/** Groups the fields of a tab by their plugin. */
export function groupsIn({ fields }: Pick<Settings, 'fields'>, tab: string): SettingGroup[] {
  return groupsOf(fields.filter((field) => field.tab === tab));
}

/** The first tab, with frequently searched settings from all tabs. */
export const firstTab = { id: 'first', title: /* t */ 'Often changed' } as const;

export function firstFields({ fields }: Pick<Settings, 'fields'>): SettingField[] {
  return fields.filter(({ rank }) => rank !== undefined).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

function groupsOf(fields: readonly SettingField[]): SettingGroup[] {
  const groups = new Map<string, SettingField[]>();
  for (const field of fields) groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return [...groups].map(([name, members]) => ({ name, fields: members }));
}

/** Id of the tab in which the model settings come before the retry settings. */
export const providerTab = 'models_api';

/** Formats the name of a plugin as a title: `model-chat-completions` → `Model chat completions`. */
export function titleOfGroup(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Names the source of the current value. Environment values are locked; the `.env` file only sets an initial value. */
export function sourceWord({ source, locked }: Pick<SettingField, 'source' | 'locked'>): string {
  if (source === 'fleet') return t('Your team');
  if (locked) return t('Environment');
  return source === 'environment' ? t('.env file') : source === 'preferences' ? t('Changed here') : t('Default');
}

/** Returns why a setting cannot be changed here; `undefined` if it can. */
export function lockReason({ key, locked, sensitive, source }: Pick<SettingField, 'key' | 'locked' | 'sensitive' | 'source'>): string | undefined {
  if (sensitive)
    return t("This value is secret: the page neither shows nor saves it. Put {key}=… into the server's .env file and restart the server.", { key });
  if (source === 'fleet') return t('Set by your team for all its machines. It can be changed only there.');
  if (locked) return t('Set in the environment of the server as {key}. It can be changed only there.', { key });
  return undefined;
}

/** Returns the text form of a value as the server accepts it. */
export function textOf(value: SettingField['value']): string {
  return value === null ? '' : String(value);
}

/** Formats a value for display. */
export function wordOf(field: Pick<SettingField, 'kind'>, value: SettingField['value']): string {
  if (field.kind === 'boolean') return value === true ? t('on') : t('off');
  if (value === null || value === '') return t('nothing');
  return typeof value === 'number' ? formatCount(value) : String(value);
}

/** Formats a duration: `90000` → `1 min 30 s`; `undefined` for units other than milliseconds and for durations below a second. */
export function durationWords(field: Pick<SettingField, 'key'>, text: string): string | undefined {
  const ms = Number(text);
  if (!field.key.endsWith('_MS') || text.trim() === '' || !Number.isFinite(ms) || ms < 1000) return undefined;
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes, left] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = [
    ...(hours > 0 ? [tn(hours, '{count} h', '{count} h')] : []),
    ...(minutes > 0 ? [tn(minutes, '{count} min', '{count} min')] : []),
    ...(left > 0 ? [t('{seconds} s', { seconds: left })] : []),
  ];
  return parts.join(' ');
}

/** Returns the labels of saved changes that are waiting for the end of a turn. */
export function pendingLabels({ fields, pending: { env, inferenceMode } }: Pick<Settings, 'fields' | 'pending'>): string[] {
  const labels = Object.keys(env).map((key) => t(fields.find((field) => field.key === key)?.label ?? key));
  return inferenceMode === undefined ? labels : [...labels, t('Inference mode')];
}
