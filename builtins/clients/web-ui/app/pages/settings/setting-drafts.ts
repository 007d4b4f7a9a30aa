// Manages unsaved changes to settings: values, validation errors, and the request that saves them. Pure.
import type { RequestBody } from 'agent-harness/client';
import { detailsOf, explainError } from '../../kit/page/explain-error.ts';
import { formatCount } from '../../kit/page/format.ts';
import { textOf, type SettingField } from './settings-model.ts';
import { t } from '../../kit/t.ts';

/** New values as text, by variable; `null` resets a variable to the default. */
export type Drafts = ReadonlyMap<string, string | null>;

/** Key of the inference mode, which is listed with the variables but is not one. */
export const inferenceModeKey = 'provider.inferenceMode';

/** Sets the draft of a field; drops it if it equals the current value. */
export function withDraft(drafts: Drafts, field: Pick<SettingField, 'key' | 'value' | 'source'>, text: string | null): Drafts {
  const isSame = text === null ? field.source !== 'preferences' : text === textOf(field.value);
  return changed(drafts, field.key, isSame ? undefined : text);
}

export function withMode(drafts: Drafts, current: string, mode: string): Drafts {
  return changed(drafts, inferenceModeKey, mode === current ? undefined : mode);
}

function changed(drafts: Drafts, key: string, text: string | null | undefined): Drafts {
  const next = new Map(drafts);
  if (text === undefined) next.delete(key);
  else next.set(key, text);
  return next;
}

export function resetValueOf({ resetsTo, default: standard }: Pick<SettingField, 'resetsTo' | 'default'>): SettingField['value'] {
  return resetsTo === undefined ? standard : resetsTo;
}

/** Returns the value that a field would have if the drafts were saved. */
export function draftedText(field: SettingField, drafts: Drafts): string {
  const draft = drafts.get(field.key);
  if (draft === undefined) return textOf(field.value);
  return draft ?? textOf(resetValueOf(field));
}

/** Validates a text on the client; `undefined` if it is valid. */
export function faultOf(field: Pick<SettingField, 'kind' | 'minimum' | 'maximum' | 'values'>, text: string): string | undefined {
  if (field.kind === 'enum') return field.values?.includes(text) === false ? t('Choose one of the values.') : undefined;
  if (field.kind !== 'integer' && field.kind !== 'number') return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return t('Enter a number.');
  if (field.kind === 'integer' && !Number.isInteger(value)) return t('Enter a whole number.');
  const { minimum = -Infinity, maximum = Infinity } = field;
  return value < minimum || value > maximum ? t('Enter a number {rangeWords}.', { rangeWords: rangeWords(field) ?? '' }) : undefined;
}

/** Describes the allowed range: `from 1 to 1,000`; `undefined` without limits. */
export function rangeWords({ minimum, maximum }: Pick<SettingField, 'minimum' | 'maximum'>): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return t('from {minimum} to {maximum}', { minimum: formatCount(minimum), maximum: formatCount(maximum) });
  if (minimum !== undefined) return t('from {minimum}', { minimum: formatCount(minimum) });
  return maximum === undefined ? undefined : t('up to {maximum}', { maximum: formatCount(maximum) });
}

/** Returns the validation errors by variable, for fields with a draft. */
export function faultsOf(fields: readonly SettingField[], drafts: Drafts): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap((field) => {
      const draft = drafts.get(field.key);
      const fault = typeof draft === 'string' ? faultOf(field, draft) : undefined;
      return fault === undefined ? [] : [[field.key, fault] as const];
    }),
  );
}

export function toPatch(drafts: Drafts): RequestBody<'PUT /api/settings'> {
  const mode = drafts.get(inferenceModeKey);
  const env = Object.fromEntries([...drafts].filter(([key]) => key !== inferenceModeKey).map(([key, text]) => [key, text === '' ? null : text]));
  return {
    ...(Object.keys(env).length === 0 ? {} : { harness: { env } }),
    ...(mode === 'byok' || mode === 'managed' || mode === 'auto' ? { provider: { inferenceMode: mode } } : {}),
  };
}

export interface Refusal {
  /** The server's errors by variable. */
  readonly byKey: ReadonlyMap<string, string>;
  /** The server's error about the whole change. */
  readonly text: string;
}

/** @param keys variables that were sent; a sentence that names one of them is assigned to it */
export function refusalOf(error: unknown, keys: readonly string[]): Refusal {
  const details = detailsOf(error);
  const text = explainError(error);
  const byKey = new Map<string, string>();
  for (const { pointer, why } of faultsIn(details['errors'])) {
    const key = keys.find((one) => pointer.endsWith(`/${one}`));
    if (key !== undefined) byKey.set(key, sentence(why));
  }
  if (byKey.size === 0) for (const key of keys) if (namesKey(text, key)) byKey.set(key, withoutPointer(text, key));
  return { byKey, text };
}

function faultsIn(errors: unknown): { pointer: string; why: string }[] {
  if (!Array.isArray(errors)) return [];
  return (errors as { pointer?: unknown; why?: unknown }[]).flatMap(({ pointer, why }) =>
    typeof pointer === 'string' && typeof why === 'string' ? [{ pointer, why }] : [],
  );
}

function namesKey(text: string, key: string): boolean {
  return new RegExp(`(^|[^A-Z0-9_])${key.replaceAll('.', '\\.')}($|[^A-Z0-9_])`).test(text);
}

/** Removes the JSON pointer: `The change was rejected: /harness/env/AGENT_MODEL must …` → `Must …` */
function withoutPointer(text: string, key: string): string {
  const at = text.indexOf(`/${key} `);
  return at < 0 ? text : sentence(text.slice(at + key.length + 2));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
