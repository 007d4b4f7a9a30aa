// Sanitises the input schema of a third-party tool: an object schema without patterns, external references and ids.
import { messageOf } from '#lib/errors';
import { stripHidden } from '#lib/hidden-text';
import { isRecord } from '#lib/values';
import { cutText } from './foreign-text.ts';
import { longestDescription, longestSchema } from '../limits.ts';

export type CleanSchema = { readonly ok: true; readonly schema: Record<string, unknown> } | { readonly ok: false; readonly why: string };

const deepest = 24;
/** Keywords to remove: patterns, which may take forever to match; ids, which could replace other schemas; and examples and comments, which have no effect. */
const dropped = new Set([
  'examples',
  '$comment',
  'pattern',
  'patternProperties',
  '$id',
  'id',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  // The keyword concerns the transport, not the arguments.
  'x-mcp-header',
]);
/** Keywords with schemas by name. */
const namedSchemas = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords with plain values. */
const plainValues = new Set(['enum', 'const', 'default', 'required', 'dependentRequired', 'type']);

export function cleanSchema(given: unknown): CleanSchema {
  if (!isRecord(given)) return { ok: false, why: 'its input schema is not an object' };
  const text = JSON.stringify(given);
  if (text.length > longestSchema) return { ok: false, why: `its schema is longer than ${longestSchema} characters` };
  if (given['type'] !== 'object') return { ok: false, why: 'its input is not described as an object' };
  if (given['properties'] !== undefined && !isRecord(given['properties'])) return { ok: false, why: 'its properties are not an object' };
  try {
    return { ok: true, schema: clean(given, 1) };
  } catch (fault) {
    return { ok: false, why: messageOf(fault) };
  }
}

function clean(schema: Record<string, unknown>, depth: number): Record<string, unknown> {
  if (depth > deepest) throw new Error(`its schema is more than ${deepest} levels deep`);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    refuseName(key);
    if (!dropped.has(key)) result[key] = cleanValue(key, value, depth);
  }
  // Still allows names that only a removed pattern allowed.
  if ('patternProperties' in schema) result['additionalProperties'] = true;
  return result;
}

function cleanValue(key: string, value: unknown, depth: number): unknown {
  if (key === 'required' && Array.isArray(value)) for (const name of value) refuseName(String(name));
  if (plainValues.has(key)) return value;
  if (key === '$ref') return localReference(value);
  if (typeof value === 'string') return cutText(value, longestDescription);
  if (Array.isArray(value)) return value.map((one: unknown) => (isRecord(one) ? clean(one, depth + 1) : one));
  if (!isRecord(value)) return value;
  return namedSchemas.has(key) ? cleanNamed(value, depth) : clean(value, depth + 1);
}

function cleanNamed(schemas: Record<string, unknown>, depth: number): Record<string, unknown> {
  const entries = Object.entries(schemas).map(([name, one]) => {
    refuseName(name);
    if (typeof one !== 'boolean' && !isRecord(one)) throw new Error(`its schema of '${cutText(name, 50)}' is not a schema`);
    return [name, isRecord(one) ? clean(one, depth + 1) : one] as const;
  });
  return Object.fromEntries(entries);
}

/** Yields the direct subschemas with their keyword, and their name for keywords with named subschemas. */
export function* walksInto(schema: Readonly<Record<string, unknown>>): Generator<[key: string, one: Record<string, unknown>, name?: string]> {
  for (const [key, value] of Object.entries(schema)) {
    if (dropped.has(key) || plainValues.has(key)) continue;
    if (Array.isArray(value)) for (const one of value) if (isRecord(one)) yield [key, one];
    if (!isRecord(value)) continue;
    if (!namedSchemas.has(key)) yield [key, value];
    else for (const [name, one] of Object.entries(value)) if (isRecord(one)) yield [key, one, name];
  }
}

function localReference(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('#')) throw new Error('its schema refers to another document');
  return value;
}

function refuseName(name: string): void {
  if (stripHidden(name) !== name) throw new Error('its schema uses a name with hidden characters');
  if (name === '__proto__') throw new Error(`its schema uses the name '${name}'`);
}
