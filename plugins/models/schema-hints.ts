// Formats JSON schema keywords that not all model providers accept as hints for the description of a node.
import { clip, oneLine } from '#lib/text';
import type { Schema } from './flat-schema.ts';

/** Maximum length of a hint in UTF-16 code units. */
const maxHintLength = 200;

/** Returns the hints for a node. @param values enum values that the portable schema cannot express and that a hint must list */
export function hintsOf(words: Schema, values: readonly unknown[] = []): string[] {
  const shown = (key: string, label: string): string[] => (words[key] === undefined || words[key] === null ? [] : [`${label} ${textOf(words[key])}`]);
  const isText = words['type'] === 'string' || words['type'] === undefined;
  return [
    ...(values.length === 1 ? [`always ${textOf(values[0])}`] : values.length > 1 ? [`one of ${listed(values)}`] : []),
    ...shown('pattern', 'pattern'),
    ...(isText && typeof words['format'] === 'string' && words['format'] !== 'date-time' ? [`format ${words['format']}`] : []),
    ...shown('contentEncoding', 'encoding'),
    ...exclusive(words, 'exclusiveMinimum', 'minimum', 'more than'),
    ...exclusive(words, 'exclusiveMaximum', 'maximum', 'less than'),
    ...shown('multipleOf', 'a multiple of'),
    ...shown('minProperties', 'at least this many keys:'),
    ...(words['uniqueItems'] === true ? ['no duplicates'] : []),
    ...shown('default', 'default'),
  ].map((hint) => clip(oneLine(hint), maxHintLength));
}

/** Returns the hint for an exclusive bound: draft 4 has a boolean keyword next to the bound; later drafts have a separate keyword. */
function exclusive(words: Schema, key: string, bound: string, label: string): string[] {
  const limit = words[key] === true ? words[bound] : words[key];
  return typeof limit === 'number' ? [`${label} ${limit}`] : [];
}

/** Returns the description of a node with its hints appended. */
export function describeNode(description: unknown, hints: readonly string[]): string {
  const text = typeof description === 'string' ? description : '';
  if (hints.length === 0) return text;
  return text === '' ? hints.join('; ') : `${text} (${hints.join('; ')})`;
}

/** Summarizes a portable node in a few words. */
export function summarize(node: Schema): string {
  if (Array.isArray(node['anyOf'])) return clip([...new Set((node['anyOf'] as Schema[]).map(summarize))].join(' or '), maxHintLength);
  if (Array.isArray(node['enum'])) return `one of ${listed(node['enum'])}`;
  const text = typeof node['description'] === 'string' ? ` (${clip(oneLine(node['description']), maxHintLength)})` : '';
  const keys = Object.keys(node['properties'] ?? {});
  if (keys.length > 0) return `object with ${clip(keys.join(', '), maxHintLength)}${text}`;
  return node['type'] === 'array' ? `array of ${summarize((node['items'] ?? {}) as Schema)}${text}` : `${String(node['type'])}${text}`;
}

function listed(values: readonly unknown[]): string {
  const texts = values.slice(0, 20).map(textOf).join(', ');
  return clip(values.length > 20 ? `${texts} and ${values.length - 20} more` : texts, maxHintLength);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
