// Writes arguments into a path, a query, a header or a cookie (OpenAPI 3.1.1, 4.8.12; RFC 6570).
import { isRecord, type ParameterPlan } from './table.ts';

type Pair = readonly [name: string, value: string];

/** As it stands in the path, encoded. */
export function pathText(plan: ParameterPlan, value: unknown): string {
  const encode = encoderOf(plan);
  const { style, isExploded } = plan;
  if (plan.isJson) return encode(JSON.stringify(value));
  const list = Array.isArray(value) ? value.map(plainText) : undefined;
  const fields = isRecord(value) ? pairsOf(value) : undefined;
  const plain = list ?? fields?.flatMap(([name, text]) => (isExploded ? [`${name}=${text}`] : [name, text]));
  const parts = (plain ?? [plainText(value)]).map((text) => (fields && isExploded ? text.split('=').map(encode).join('=') : encode(text)));
  if (style === 'label') return `.${parts.join(isExploded ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  const name = encodeURIComponent(plan.name);
  if (list && isExploded) return parts.map((part) => `;${name}=${part}`).join('');
  if (fields && isExploded) return parts.map((part) => `;${part}`).join('');
  return `;${name}=${parts.join(',')}`;
}

/** `name=value` with `&` between, encoded; empty for an empty list. */
export function queryText(plan: ParameterPlan, value: unknown): string {
  const encode = encoderOf(plan);
  return queryPairs(plan, value)
    .map(([name, text]) => `${encodeName(name)}=${encode(text)}`)
    .join('&');
}

function queryPairs(plan: ParameterPlan, value: unknown): Pair[] {
  const { name, style, isExploded } = plan;
  if (plan.isJson) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    if (isExploded || style === 'deepObject') return value.map((item): Pair => [name, plainText(item)]);
    return [[name, value.map(plainText).join(style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',')]];
  }
  if (!isRecord(value)) return [[name, plainText(value)]];
  if (style === 'deepObject') return deepPairs(name, value);
  if (isExploded) return pairsOf(value);
  return [[name, pairsOf(value).flat().join(',')]];
}

/** `filter[owner][name]=x`; how lists inside look is nowhere written, and most servers read repeated `[]`. */
function deepPairs(name: string, value: Readonly<Record<string, unknown>>): Pair[] {
  return Object.entries(value).flatMap(([key, inner]): Pair[] => {
    const at = `${name}[${key}]`;
    if (isRecord(inner)) return deepPairs(at, inner);
    return Array.isArray(inner) ? inner.map((item): Pair => [`${at}[]`, plainText(item)]) : [[at, plainText(inner)]];
  });
}

/** For a header or a cookie; not encoded. */
export function headerText(plan: ParameterPlan, value: unknown): string {
  if (plan.isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plainText).join(',');
  if (!isRecord(value)) return plainText(value);
  return pairsOf(value)
    .map(([name, text]) => (plan.isExploded ? `${name}=${text}` : `${name},${text}`))
    .join(',');
}

/** `application/x-www-form-urlencoded` of a body. */
export function formText(body: Readonly<Record<string, unknown>>): string {
  return Object.entries(body)
    .flatMap(([name, value]): Pair[] => {
      if (Array.isArray(value)) return value.map((item): Pair => [name, plainText(item)]);
      return isRecord(value) ? deepPairs(name, value) : [[name, plainText(value)]];
    })
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&');
}

export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}

function pairsOf(value: Readonly<Record<string, unknown>>): Pair[] {
  return Object.entries(value).map(([name, inner]) => [name, plainText(inner)]);
}

/** Reserved signs stay where the document says so; those that end a value never do. */
function encoderOf({ allowsReserved, place }: ParameterPlan): (text: string) => string {
  if (!allowsReserved) return encodeURIComponent;
  const kept = place === 'path' ? /%(2F|3A|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g : /%(2F|3A|40|21|24|27|28|29|2A|2C|3B|3F|5B|5D)/g;
  return (text) => encodeURIComponent(text).replace(kept, decodeURIComponent);
}

/** Brackets are common in names and understood plain. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/%5B/g, '[').replace(/%5D/g, ']');
}
