// Converts the arguments of a call to form fields: text, numbers and switches as such, others as JSON. Pure.
import { messageOf } from '#lib/errors';
import { escapeHidden, showHidden } from '#lib/hidden-text';
import { isRecord, recordIn } from '#lib/values';
import { t } from '../../kit/t.ts';

export interface EditField {
  readonly key: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  /** Text as entered; `true` or `false` for a switch. */
  readonly text: string;
}

/** Returns one field for each argument. */
export function fieldsOf(args: unknown): EditField[] {
  if (!isRecord(args)) return [];
  return Object.entries(args).map(([key, value]) => {
    // Text with hidden characters is edited as JSON, which escapes them.
    if (typeof value === 'string' && showHidden(value) === value) return { key, kind: 'text', text: value };
    if (typeof value === 'number') return { key, kind: 'number', text: String(value) };
    if (typeof value === 'boolean') return { key, kind: 'boolean', text: String(value) };
    return { key, kind: 'json', text: escapeHidden(JSON.stringify(value, null, 2)) };
  });
}

/** Returns the texts of the fields as one text, for a draft. */
export const draftOf = (fields: readonly EditField[]): string => JSON.stringify(Object.fromEntries(fields.map(({ key, text }) => [key, text])));

/** Returns the fields with the texts of a draft; fields that the draft does not contain are unchanged. */
export function withDraft(fields: readonly EditField[], draft: string): EditField[] {
  const texts = recordIn(draft);
  return fields.map((field) => {
    const text = Object.hasOwn(texts, field.key) ? texts[field.key] : undefined;
    return typeof text === 'string' ? { ...field, text } : field;
  });
}

/** Returns the edited arguments, or the error in a field. */
export function readFields(fields: readonly EditField[]): { readonly args: Record<string, unknown> } | { readonly problem: string; readonly key: string } {
  const args: [string, unknown][] = [];
  for (const { key, kind, text } of fields) {
    if (kind === 'text') args.push([key, text]);
    else if (kind === 'boolean') args.push([key, text === 'true']);
    else if (kind === 'number') {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) return { problem: t('{key} must be a number.', { key }), key };
      args.push([key, value]);
    } else {
      try {
        args.push([key, JSON.parse(text)]);
      } catch (fault) {
        return { problem: t('{key} is not valid JSON: {fault}.', { key, fault: messageOf(fault) }), key };
      }
    }
  }
  // Uses `Object.fromEntries`, because a key may be named `__proto__`.
  return { args: Object.fromEntries(args) };
}
