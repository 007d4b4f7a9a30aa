// Serialises arguments into a path, a query, a header, a cookie or a form (OpenAPI 3.1.1, 4.8.12.4; RFC 6570).
import { isRecord } from '#lib/values';
import type { Json, ParameterPlan } from './table.ts';

export type Pair = readonly [name: string, value: string];
type Encode = (text: string) => string;

/** Serialisation style of a named value. */
export type FormStyle = Pick<ParameterPlan, 'name' | 'style' | 'isExploded'>;

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** Returns the encoded value for the path. */
export function pathText(plan: ParameterPlan, value: unknown): string {
  const encode = encoderOf(plan);
  const { style, isExploded } = plan;
  if (plan.isJson) return encode(JSON.stringify(value));
  const name = encodeURIComponent(plan.name);
  const named = (text: string): string => (text === '' ? `;${name}` : `;${name}=${text}`);
  const pairs = isRecord(value) ? pairsOf(value).map((pair) => pair.map(encode)) : undefined;
  const parts = pairs
    ? isExploded
      ? pairs.map((pair) => pair.join('='))
      : pairs.flat()
    : (Array.isArray(value) ? value : [value]).map((item) => encode(plainText(item)));
  if (style === 'label') return `.${parts.join(isExploded ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  if (!isExploded) return named(parts.join(','));
  return parts.map((part) => (pairs ? `;${part}` : named(part))).join('');
}

/** Returns `name=value` pairs joined by `&`, encoded; empty for an empty list. */
export function queryText(plan: ParameterPlan, value: unknown): string {
  return formTexts(plan, value, encoderOf(plan), encodeName).join('&');
}

/** Returns the parameter's part of the `Cookie` header. */
export function cookieText(plan: ParameterPlan, value: unknown): string {
  return formTexts(plan, value, encodeURIComponent, encodeURIComponent).join(plan.style === 'cookie' ? '; ' : '&');
}

function formTexts(plan: ParameterPlan, value: unknown, encode: Encode, encodeKey: Encode): string[] {
  const pairs = plan.isJson ? [[plan.name, encode(JSON.stringify(value))] as const] : formPairs(plan, value, encode);
  return pairs.map(([name, text]) => `${encodeKey(name)}=${text}`);
}

/**
 * Returns the name-value pairs of a form. Names are unchanged; values are encoded and joined by the delimiters of their style. OpenAPI does not specify the
 * format of nested lists and objects; servers that support them use brackets that contain the index or name.
 */
export function formPairs(plan: FormStyle, value: unknown, encode: Encode): Pair[] {
  const { name, style, isExploded } = plan;
  if (!isRecord(value) && !Array.isArray(value)) return [[name, encode(plainText(value))]];
  const items = Object.entries(value) as [string, unknown][];
  if (items.length === 0) return [];
  const isDeep = style === 'deepObject' || (Array.isArray(value) && value.some(isNested));
  if (isDeep) return items.flatMap(([key, inner]) => formPairs({ name: `${name}[${key}]`, style: 'deepObject', isExploded: true }, inner, encode));
  if (isExploded && Array.isArray(value)) return items.map(([, item]): Pair => [name, encode(plainText(item))]);
  if (isExploded) return items.flatMap(([key, inner]) => formPairs({ name: key, style: isRecord(inner) ? 'deepObject' : style, isExploded }, inner, encode));
  const texts = Array.isArray(value) ? value.map(plainText) : pairsOf(value).flat();
  return [[name, texts.map(encode).join(delimiters[style] ?? ',')]];
}

/** Returns the unencoded value for a header. */
export function headerText(plan: ParameterPlan, value: unknown): string {
  if (plan.isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plainText).join(',');
  if (!isRecord(value)) return plainText(value);
  return pairsOf(value)
    .map((pair) => pair.join(plan.isExploded ? '=' : ','))
    .join(',');
}

/** Returns the default style of a form field: brackets for objects and their containers. */
export function fieldStyle(name: string, value: unknown): FormStyle {
  return { name, style: isRecord(value) ? 'deepObject' : 'form', isExploded: true };
}

export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function pairsOf(value: Json): [string, string][] {
  return Object.entries(value).map(([name, inner]) => [name, plainText(inner)]);
}

/** Returns the encoder, which leaves reserved characters other than delimiters unencoded if the document allows them. */
function encoderOf({ allowsReserved, place }: Pick<ParameterPlan, 'allowsReserved' | 'place'>): Encode {
  if (!allowsReserved) return encodeURIComponent;
  const kept = place === 'path' ? /%(2F|3A|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g : /%(2F|3A|40|21|24|27|28|29|2A|2C|3B|3F|5B|5D)/g;
  return (text) => encodeURIComponent(text).replace(kept, decodeURIComponent);
}

/** Encodes a name. Keeps brackets, which are common in names and accepted without encoding. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/%5B/g, '[').replace(/%5D/g, ']');
}
