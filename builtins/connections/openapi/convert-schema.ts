// Converts an OpenAPI 3.0 or 3.1 schema to plain JSON Schema 2020-12 without references; circular and too deep parts accept any value.
import { stripHidden } from '#lib/hidden-text';
import { clip, oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import { decodeHTML } from 'entities';
import type { References } from './references.ts';
import { fieldOf, type Json } from './table.ts';

export interface ConvertOptions {
  readonly references: References;
  /** Whether the document uses OpenAPI 3.0: `nullable`, and flags for exclusive limits. */
  readonly isOld: boolean;
  /** Maximum depth of described objects and lists. */
  readonly depth: number;
  /** Maximum number of schemas; beyond it, {@link TooManySchemas} is thrown. */
  readonly limit: number;
}

export class TooManySchemas extends Error {}

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
/** Names that reach an object's prototype; argument validation rejects them as well. */
const unsafeNames = ['__proto__', 'constructor', 'prototype'];
const maxChoices = 100;
const maxPropertyName = 128;

/** Returns a valid schema for any input. */
export function convertSchema(given: unknown, options: ConvertOptions): Json {
  let count = 0;
  const open = new Set<Json>();

  function convert(value: unknown, level: number): Json {
    if (++count > options.limit) throw new TooManySchemas();
    const schema = options.references.resolve(value);
    if (!schema) return {};
    const result = level >= options.depth || open.has(schema) ? cut(schema, options.isOld) : convertOpen(schema, level);
    // OpenAPI 3.1 also applies the keywords beside a reference.
    const beside = schema === value ? undefined : fieldOf(value, 'description');
    return typeof beside === 'string' && !options.isOld ? { ...result, description: line(beside, 200) } : result;
  }

  function convertOpen(schema: Json, level: number): Json {
    open.add(schema);
    try {
      return withNull(
        schema,
        { ...plainKeywords(schema, options.isOld, level), ...objectKeywords(schema, level), ...listKeywords(schema, level), ...unions(schema, level) },
        options.isOld,
      );
    } finally {
      open.delete(schema);
    }
  }

  function objectKeywords(schema: Json, level: number): Json {
    const properties = fieldOf(schema, 'properties');
    if (!isRecord(properties)) return {};
    const kept: [string, Json][] = [];
    let isWhole = fieldOf(schema, 'patternProperties') === undefined;
    for (const [name, value] of Object.entries(properties)) {
      if (unsafeNames.includes(name) || name.length > maxPropertyName) isWhole = false;
      else if (fieldOf(options.references.resolve(value), 'readOnly') !== true) kept.push([name, convert(value, level + 1)]);
    }
    const names = kept.map(([name]) => name);
    const required = listOf(fieldOf(schema, 'required')).filter((name): name is string => typeof name === 'string' && names.includes(name));
    return {
      ...(types.includes(String(fieldOf(schema, 'type'))) ? {} : { type: 'object' }),
      properties: Object.fromEntries(kept),
      ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
      ...(isWhole ? additional(schema, level) : {}),
    };
  }

  function additional(schema: Json, level: number): Json {
    const rest = fieldOf(schema, 'additionalProperties');
    if (rest === false) return { additionalProperties: false };
    return isRecord(rest) && Object.keys(rest).length > 0 ? { additionalProperties: convert(rest, level + 1) } : {};
  }

  function listKeywords(schema: Json, level: number): Json {
    const items = fieldOf(schema, 'items');
    const isList = fieldOf(schema, 'type') === 'array' || listOf(fieldOf(schema, 'type')).includes('array');
    if (!isList && !isRecord(items)) return {};
    const first = listOf(fieldOf(schema, 'prefixItems'));
    return { ...(isList ? {} : { type: 'array' }), ...(first.length > 0 ? {} : { items: isRecord(items) ? convert(items, level + 1) : {} }) };
  }

  function unions(schema: Json, level: number): Json {
    const result: Record<string, Json[]> = {};
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const branches = listOf(fieldOf(schema, keyword)).filter(isRecord);
      // A truncated schema is less specific, so several branches may match.
      if (branches.length > 0 && branches.length <= 30)
        result[keyword === 'oneOf' ? 'anyOf' : keyword] ??= branches.map((branch) => convert(branch, level + (keyword === 'allOf' ? 0 : 1)));
    }
    return result;
  }

  return convert(given, 0);
}

/** Returns the schema's type without its inner parts. */
function cut(schema: Json, isOld: boolean): Json {
  const { enum: choices, type, description } = plainKeywords(schema, isOld, 1);
  const isObject = type === undefined && isRecord(fieldOf(schema, 'properties'));
  return withNull(
    schema,
    {
      ...(isObject ? { type: 'object' } : type === undefined ? {} : { type }),
      ...(type === 'array' || listOf(type).includes('array') ? { items: {} } : {}),
      ...(description === undefined ? {} : { description }),
      ...(choices === undefined ? {} : { enum: choices }),
    },
    isOld,
  );
}

/**
 * Describes defaults, formats and patterns without enforcing them: filling in a default would change the meaning of a partial update, and a third-party pattern
 * may take forever to match.
 */
function plainKeywords(schema: Json, isOld: boolean, level: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const type = typeOf(fieldOf(schema, 'type'));
  if (type !== undefined) result['type'] = type;
  const description = describe(schema, level < 2 ? 300 : 120);
  if (description !== '') result['description'] = description;
  const choices = listOf(fieldOf(schema, 'enum'));
  if (choices.length > 0 && choices.length <= maxChoices) result['enum'] = [...new Set(choices)];
  if (Object.hasOwn(schema, 'const')) result['const'] = schema['const'];
  for (const keyword of numbers) if (Number.isFinite(fieldOf(schema, keyword))) result[keyword] = schema[keyword];
  for (const keyword of counts) if (isCount(fieldOf(schema, keyword))) result[keyword] = schema[keyword];
  if (!(Number(result['multipleOf'] ?? 1) > 0)) delete result['multipleOf'];
  if (fieldOf(schema, 'uniqueItems') === true) result['uniqueItems'] = true;
  if (isOld) limitFlags(schema, result);
  return result;
}

/** Converts flags to limits: `exclusiveMinimum: true` beside `minimum: 3` becomes `exclusiveMinimum: 3`. */
function limitFlags(schema: Json, result: Record<string, unknown>): void {
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (fieldOf(schema, flag) !== true || result[limit] === undefined) continue;
    result[flag] = result[limit];
    delete result[limit];
  }
}

function withNull(schema: Json, result: Json, isOld: boolean): Json {
  if (!isOld || fieldOf(schema, 'nullable') !== true) return result;
  if (typeof result['type'] !== 'string') {
    return result['anyOf'] === undefined && result['allOf'] === undefined ? result : { anyOf: [result, { type: 'null' }] };
  }
  const choices = result['enum'] as readonly unknown[] | undefined;
  return { ...result, type: [result['type'], 'null'], ...(choices && !choices.includes(null) ? { enum: [...choices, null] } : {}) };
}

function typeOf(type: unknown): string | string[] | undefined {
  if (Array.isArray(type)) {
    const known = [...new Set(type.filter((one): one is string => types.includes(one as string)))];
    return known.length > 1 ? known : known[0];
  }
  return types.includes(type as string) ? (type as string) : undefined;
}

function describe(schema: Json, maxLength: number): string {
  const text = [fieldOf(schema, 'description'), fieldOf(schema, 'title')].find((one) => typeof one === 'string' && one !== '');
  const notes = ['format', 'pattern', 'default'].flatMap((name) => {
    const value = fieldOf(schema, name);
    const said =
      value === undefined || isRecord(value) || (name === 'format' && /^"(int|double|float)/.test(JSON.stringify(value))) ? '' : JSON.stringify(value);
    return said === '' || said === undefined || said.length > 80 ? [] : [`${name} ${said}`];
  });
  const choices = listOf(fieldOf(schema, 'enum'));
  if (choices.length > maxChoices) notes.push(`one of ${choices.length} values, such as ${line(JSON.stringify(choices.slice(0, 10)), 200)}`);
  return [line(typeof text === 'string' ? text : '', maxLength), notes.length > 0 ? `(${notes.join(', ')})` : ''].filter((part) => part !== '').join(' ');
}

/** Matches HTML tags in descriptions; keeps text such as `List<Item>`. */
const tag =
  /<(\/?)(p|br|div|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6]|pre|blockquote|dl|dt|dd|hr|a|b|i|u|em|strong|code|span|sub|sup|small|details|summary|img|kbd|font)(\s[^<>]*)?\/?>/gi;
const inline = /^(a|b|i|u|em|strong|code|span|sub|sup|small|kbd|font)$/i;

/** Converts a document's text to one line without HTML and hidden characters. */
export function line(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength * 8);
  const isHtml = cut.search(tag) !== -1;
  const words = isHtml ? decodeHTML(cut.replace(tag, (_, __, name: string) => (inline.test(name) ? '' : ' '))) : cut;
  const plain = oneLine(stripHidden(words));
  return clip(plain, maxLength);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
