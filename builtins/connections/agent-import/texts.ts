// Provides small parsers for the fields of other agents' files.
import { firstLine, oneLine } from '#lib/text';
import { isRecord } from '#lib/values';

export type Fields = Readonly<Record<string, unknown>>;

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});

/** Returns the texts of a list of blocks `{ type, text }`; returns a string unchanged. */
export function textsOf(content: unknown, types: readonly string[] = ['text', 'input_text', 'output_text']): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((block: unknown) => {
    const { type, text } = recordOf(block);
    if (typeof text === 'string' && typeof type === 'string' && types.includes(type)) return [text];
    return typeof type === 'string' && /image/.test(type) ? ['[An image, not imported.]'] : [];
  });
  return texts.join('\n');
}

/** Converts milliseconds to ISO 8601 UTC; `undefined` for an invalid time. */
export function timeOf(value: unknown): string | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

export function titleOf(text: string): string {
  return oneLine(firstLine(text.trim(), 200), 80);
}

export function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}

export function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
