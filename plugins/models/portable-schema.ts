// Rewrites the input schema of a tool into the subset of JSON Schema that all providers accept. Argument validation uses the full schema. Each node has one
// type, or is a pure `anyOf` whose branches have one type each, because Gemini rejects a request with any other node. The information in removed keywords is
// moved to descriptions.
import { clip } from '#lib/text';
import { isRecord, stableJson } from '#lib/values';
import { createFlattener, mergeWords, type FlatNode, type Schema } from './flat-schema.ts';
import { describeNode, hintsOf, summarize } from './schema-hints.ts';

type Type = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

const noArguments: Schema = { type: 'object', properties: {} };
const anyValue: Schema = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }, { type: 'array', items: { type: 'string' } }],
};
/** Nesting depths to try, largest first, until the schema is small enough. */
const depths = [12, 6, 3, 1];
const maxVisits = 8_000;
/** Maximum size of the rewritten schema in characters of JSON. */
const maxSize = 40_000;
/** Maximum number of repetitions that llama.cpp grammars support. */
const maxRepeats = 1_000;
const maxEnum = 500;
/** Matches property names that all providers accept. */
const portableName = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Rewrites a schema. Returns the same object for a schema that is already portable; equal schemas give equal results. Never throws.
 * @param input JSON schema of a tool's arguments, of any dialect
 */
export function portableSchema(input: object): object {
  try {
    for (const depth of depths) {
      const rewritten = attempt(input, depth);
      if (rewritten !== undefined && JSON.stringify(rewritten).length <= maxSize) return stableJson(rewritten) === stableJson(input) ? input : rewritten;
    }
  } catch {
    // The input is not JSON: it has a cycle, or a getter that throws.
  }
  return noArguments;
}

function attempt(input: object, maxDepth: number): Schema | undefined {
  try {
    return createRewriter(input, maxDepth)();
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

function createRewriter(root: object, maxDepth: number): () => Schema {
  const flatten = createFlattener(root, maxVisits);
  /** Rewritten nodes whose original also allowed `null`. */
  const nullable = new WeakSet<object>();

  /** Rewrites a node; returns `undefined` if it allows only `null`, or no value. */
  function rewrite(node: unknown, path: ReadonlySet<string>, depth: number): Schema | undefined {
    const flat = flatten(node, path);
    if (!flat) return undefined;
    const { words, unions } = flat;
    const types = typesOf(words);
    if (types?.length === 0) return undefined;
    const result = writeNode(flat, types, depth);
    if (result && result !== anyValue && allowsNull(words, unions)) nullable.add(result);
    return result;
  }

  function writeNode(flat: FlatNode, types: readonly Type[] | undefined, depth: number): Schema | undefined {
    const { words, unions } = flat;
    const [type, ...others] = types ?? [];
    const isOneType = type !== undefined && others.length === 0;
    const hasFields = Object.keys(mapAt(words, 'properties')).length > 0;
    if (isOneType && type === 'object' && (unions.length === 0 || hasFields)) return writeObject(flat, depth);
    if (unions[0]) return writeUnion(flat, unions[0], depth);
    if (isOneType) return writeTyped(words, type, flat.path, depth);
    if (depth >= maxDepth) return anyValue;
    if (!types) return withDescription(anyValue, describeNode(words['description'], hintsOf(words)));
    return writeUnion({ ...flat, words: { ...words, type: types } }, types.map((one) => ({ type: one })), depth); // prettier-ignore
  }

  function writeUnion({ words, path }: FlatNode, union: readonly unknown[], depth: number): Schema | undefined {
    if (depth >= maxDepth) return anyValue;
    const { description, default: preset, ...shared } = words;
    const written = union.flatMap((branch) => {
      const one = rewrite({ allOf: [shared, branch] }, path, depth + 1);
      return one === undefined ? [] : Array.isArray(one['anyOf']) ? (one['anyOf'] as Schema[]) : [one];
    });
    const branches = joinEnums(written.filter((one, at) => written.findIndex((other) => formOf(other) === formOf(one)) === at));
    const [first] = branches;
    if (!first) return undefined;
    const text = describeNode(description, hintsOf(preset === undefined ? {} : { default: preset }));
    return withDescription(branches.length === 1 ? first : { anyOf: branches }, text);
  }

  function writeTyped(words: Schema, type: Type, path: ReadonlySet<string>, depth: number): Schema {
    const values = listAt(words, 'enum').filter((value) => typeOf(value) === type || (type === 'number' && typeof value === 'number'));
    const texts = type === 'string' ? [...new Set(values)].filter((value) => value !== '') : [];
    const described = type === 'string' && texts.length <= maxEnum ? [] : values;
    const description = describeNode(words['description'], hintsOf(words, described));
    return {
      type,
      ...(description === '' ? {} : { description }),
      ...(texts.length > 0 && texts.length <= maxEnum ? { enum: texts } : {}),
      ...(type === 'string' && words['format'] === 'date-time' ? { format: 'date-time' } : {}),
      ...boundsOf(words, type),
      ...(type === 'array' ? { items: itemsOf(words, path, depth) } : {}),
    };
  }

  function itemsOf(words: Schema, path: ReadonlySet<string>, depth: number): Schema {
    if (depth >= maxDepth) return { type: 'string' };
    const tuple = [words['prefixItems'], words['items']].find(Array.isArray);
    const others = [Array.isArray(words['items']) ? words['additionalItems'] : words['items']].filter((one) => typeof one === 'object' && one !== null);
    const items: unknown = tuple ? { anyOf: [...(tuple as unknown[]), ...others] } : (others[0] ?? {});
    return rewrite(items, path, depth + 1) ?? { type: 'string' };
  }

  /** Writes an object, with the unions merged into its properties. */
  function writeObject(flat: FlatNode, depth: number): Schema {
    const { words, notes } = foldBranches(flat);
    const named = Object.entries(mapAt(words, 'properties'));
    const wanted = new Set(listAt(words, 'required'));
    const written =
      depth >= maxDepth
        ? []
        : named.flatMap(([name, one]) => {
            const property = portableName.test(name) ? rewrite(one, flat.path, depth + 1) : undefined;
            if (!property) return [];
            return [[name, wanted.has(name) && nullable.has(property) ? withDescription(property, '', '(may be null)') : property] as const];
          });
    const properties = Object.fromEntries(written);
    const required = [...wanted].filter((name) => Object.hasOwn(properties, String(name)));
    const dropped = named.filter(([name]) => !portableName.test(name)).map(([name]) => JSON.stringify(name));
    const values = summaryOfValues(words, flat.path, depth);
    const description = describeNode(words['description'], [
      ...hintsOf(words, listAt(words, 'enum').filter(isRecord)),
      ...notes,
      ...values,
      ...(dropped.length > 0 ? [`more keys: ${clip(dropped.join(', '), 200)}`] : []),
    ]);
    return {
      type: 'object',
      ...(description === '' ? {} : { description }),
      ...(written.length > 0 || depth === 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  /** Describes the values of additional keys. */
  function summaryOfValues(words: Schema, path: ReadonlySet<string>, depth: number): string[] {
    const patterns = Object.entries(mapAt(words, 'patternProperties')).map(([pattern, one]) => [`keys that match ${clip(pattern, 100)}`, one] as const);
    const maps = [...patterns, ['other keys', words['additionalProperties']] as const].filter(([, one]) => isRecord(one) && Object.keys(one).length > 0);
    return maps.flatMap(([keys, one]) => {
      const value = rewrite(one, path, Math.max(depth, maxDepth - 1));
      return value ? [`${keys}: ${summarize(value)}`] : [];
    });
  }

  /** Merges the properties of all branches. A property is required if the node itself, or all branches of a union, require it. */
  function foldBranches(flat: FlatNode): { words: Schema; notes: string[] } {
    const notes: string[] = [];
    let { words } = flat;
    for (const union of [...flat.unions, ...flat.conditional]) {
      const branches = union.flatMap((branch) => {
        const one = flatten(branch, flat.path);
        const types = one && typesOf(one.words);
        return one && (!types || types.includes('object')) ? [foldBranches(one).words] : [];
      });
      if (branches.length === 0) continue;
      const needs = branches.map((branch) => listAt(branch, 'required'));
      const shared = needs.reduce((left, right) => left.filter((name) => right.includes(name)));
      const choices = needs.map((names) => names.filter((name) => !shared.includes(name)).join(' and '));
      if (choices.length > 1 && choices.every((choice) => choice !== '')) notes.push(`requires ${clip([...new Set(choices)].join(', or '), 300)}`);
      const names = [...new Set(branches.flatMap((branch) => Object.keys(mapAt(branch, 'properties'))))];
      const properties = names.flatMap((name) => {
        const isOwn = Object.hasOwn(mapAt(words, 'properties'), name);
        const variants = branches.flatMap((branch) => (Object.hasOwn(mapAt(branch, 'properties'), name) ? [mapAt(branch, 'properties')[name]] : []));
        if (isOwn && variants.length < branches.length) return [];
        return [[name, variants.length === 1 ? variants[0] : { anyOf: variants }] as const];
      });
      words = mergeWords(words, { properties: Object.fromEntries(properties), required: shared });
    }
    return { words, notes };
  }

  return () => {
    const flat = flatten(root, new Set(['#']));
    return flat ? writeObject(flat, 0) : noArguments;
  };
}

/** Returns the types that a node names or implies, without `null`; `undefined` if it allows all types. */
function typesOf(words: Schema): Type[] | undefined {
  const known: readonly string[] = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
  const named = [words['type']].flat().filter((type) => typeof type === 'string') as Type[];
  const values = Array.isArray(words['enum']) ? (words['enum'] as unknown[]).map(typeOf) : undefined;
  if (named.length > 0 && named.every((type) => (type as string) === 'null')) return [];
  let types = named.filter((type) => known.includes(type));
  if (values && values.length > 0) {
    const fitting = types.filter((type) => values.includes(type) || (type === 'number' && values.includes('integer')));
    types = types.length === 0 ? (values.filter((type) => known.includes(type as string)) as Type[]) : fitting.length > 0 ? fitting : types;
    if (types.length === 0) return [];
  }
  if (types.length === 0) types = impliedTypes(words);
  const distinct = [...new Set(types)].filter((type) => type !== 'integer' || !types.includes('number'));
  return distinct.length === 0 ? undefined : distinct;
}

function impliedTypes(words: Schema): Type[] {
  const has = (...keys: string[]): boolean => keys.some((key) => Object.hasOwn(words, key));
  if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames')) return ['object'];
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains')) return ['array'];
  if (has('pattern', 'minLength', 'maxLength', 'format')) return ['string'];
  return has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf') ? ['number'] : [];
}

function typeOf(value: unknown): Type | 'null' {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (Array.isArray(value)) return 'array';
  return typeof value as Type;
}

function allowsNull(words: Schema, unions: FlatNode['unions']): boolean {
  const isNull = (branch: unknown): boolean => isRecord(branch) && (branch['type'] === 'null' || branch['const'] === null);
  return words['nullable'] === true || [words['type']].flat().includes('null') || listAt(words, 'enum').includes(null) || (unions[0] ?? []).some(isNull);
}

function boundsOf(words: Schema, type: Type): Schema {
  const kinds: Partial<Record<Type, readonly [least: string, most: string, limit: number]>> = {
    string: ['minLength', 'maxLength', maxRepeats],
    array: ['minItems', 'maxItems', maxRepeats],
    integer: ['minimum', 'maximum', Number.MAX_SAFE_INTEGER - 1],
    number: ['minimum', 'maximum', Number.MAX_SAFE_INTEGER - 1],
  };
  const [least, most, limit] = kinds[type] ?? ['', '', 0];
  const bounds = [least, most].filter((key) => typeof words[key] === 'number' && Math.abs(words[key]) <= limit);
  return Object.fromEntries(bounds.map((key) => [key, words[key]]));
}

/** Returns the schema without its description, as text. */
function formOf(schema: Schema): string {
  return stableJson({ ...schema, description: undefined });
}

/** Merges string enums into one; keeps the descriptions of their branches. */
function joinEnums(branches: readonly Schema[]): Schema[] {
  const isEnum = (branch: Schema): boolean =>
    Array.isArray(branch['enum']) && Object.keys(branch).every((key) => ['type', 'description', 'enum'].includes(key));
  const enums = branches.filter(isEnum);
  const [first] = enums;
  if (!first || enums.length < 2) return [...branches];
  const values = [...new Set(enums.flatMap((branch) => listAt(branch, 'enum')))];
  if (values.length > maxEnum) return [...branches];
  const texts = enums.flatMap(({ description, enum: own }) => (typeof description === 'string' ? [`${(own as unknown[]).join(', ')}: ${description}`] : []));
  const joined = { type: 'string', ...(texts.length > 0 ? { description: texts.join(' ') } : {}), enum: values };
  return branches.flatMap((branch) => (branch === first ? [joined] : enums.includes(branch) ? [] : [branch]));
}

/** Adds text to the description of a node. A union cannot have a description, so the text is added to its first branch. */
function withDescription(schema: Schema, before: string, after = ''): Schema {
  if (before === '' && after === '') return schema;
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) return { anyOf: [withDescription(anyOf[0] as Schema, before, after), ...(anyOf.slice(1) as Schema[])] };
  const { type, description, ...rest } = schema;
  return { type, description: [before, description, after].filter((text) => typeof text === 'string' && text !== '').join(' '), ...rest };
}

function mapAt(schema: Schema, key: string): Schema {
  const found = schema[key];
  return isRecord(found) ? found : {};
}

function listAt(schema: Schema, key: string): readonly unknown[] {
  const found = schema[key];
  return Array.isArray(found) ? (found as unknown[]) : [];
}
