// Compiles the JSON schemas of third parties: tools, MCP servers, OpenAPI documents, plugins. Reads all dialects as draft 2020-12, the default of MCP and
// OpenAPI 3.1, and rewrites keywords of older drafts.
import type { Options, ValidateFunction } from 'ajv';
import { lateAjv } from './late-ajv.ts';
import { isRecord } from './values.ts';

type Schema = Readonly<Record<string, unknown>>;

const foreign: Options = {
  strict: false,
  // Third parties use their own drafts, formats and ids.
  validateSchema: false,
  validateFormats: false,
  meta: false,
  ownProperties: true,
  logger: false,
};

/** Loads Ajv when the first schema is compiled. Compiles each schema object once; throws for an invalid schema. */
export function createSchemaCompiler(options: Options = {}): (schema: object) => ValidateFunction {
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema) => {
    let validate = compiled.get(schema);
    // A separate instance takes half a millisecond. In a shared instance, ids would collide with those of other schemas, and `#` would fail.
    if (!validate)
      compiled.set(
        schema,
        (validate = new (lateAjv().Ajv2020)({ ...foreign, ...options }).compile(toDraft2020(schema as Schema, isOldDraft(schema as Schema)))),
      );
    return validate;
  };
}

/** Matches the dialects up to draft 7. */
const oldDraft = /^https?:\/\/json-schema\.org\/draft-0[3-7]\//;
const isOldDraft = ({ $schema }: Schema): boolean => typeof $schema === 'string' && oldDraft.test($schema);
/** Keywords preserved next to a `$ref`, because they may contain referenced schemas. Old drafts ignore all other keywords there. */
const besideReference: ReadonlySet<string> = new Set(['$ref', 'definitions', '$defs', 'default']);

const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemaMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const schemas: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'contains', 'unevaluatedItems', 'additionalProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['not', 'if', 'then', 'else', 'contentSchema'],
]);

/** Replaces each schema inside a schema with the result of `change`. Returns the same object if nothing changed. */
export function mapSubschemas(schema: Schema, change: (inner: Schema) => Schema): Schema {
  const mapOne = (one: unknown): unknown => (isRecord(one) ? change(one) : one);
  let isChanged = false;
  const mapped = Object.entries(schema).map(([key, value]) => {
    const result = mapKeyword(key, value, mapOne);
    isChanged ||= result !== value;
    return [key, result] as const;
  });
  return isChanged ? Object.fromEntries(mapped) : schema;
}

function mapKeyword(key: string, value: unknown, mapOne: (one: unknown) => unknown): unknown {
  if (Array.isArray(value) && (schemaLists.has(key) || key === 'items')) {
    const list = value.map(mapOne);
    return list.every((one, at) => one === value[at]) ? value : list;
  }
  if (schemas.has(key)) return mapOne(value);
  if (!schemaMaps.has(key) || !isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, mapOne(one)] as const);
  return entries.every(([name, one]) => one === value[name]) ? value : Object.fromEntries(entries);
}

/** Matches the dialects whose keywords are known. */
const knownDialect = /^https?:\/\/(?:json-schema\.org\/(?:draft-0[3-7]|draft\/20(?:19-09|20-12)|schema)|spec\.openapis\.org\/)/;
/** Returns whether another document defines the keywords. If so, only types and structure are checked here; the owner of the schema checks the rest. */
const isUnknownDialect = ({ $schema }: Schema): boolean => typeof $schema === 'string' && /^https?:/.test($schema) && !knownDialect.test($schema);

function toDraft2020(given: Schema, isOld: boolean): Schema {
  if (isUnknownDialect(given)) return toDraft2020(structureOf(given), isOld);
  const schema = avoidFaults(mapSubschemas(given, (inner) => toDraft2020(inner, isOld)));
  const { $schema: _, id, items, additionalItems, exclusiveMinimum, exclusiveMaximum, $recursiveRef, ...rest } = schema;
  const $ref = typeof rest['$ref'] === 'string' ? renamePointer(rest['$ref']) : undefined;
  const isTuple = Array.isArray(items);
  const isDraft4 = typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean';
  const hasOldWord = ['$schema', 'id', '$recursiveRef'].some((key) => Object.hasOwn(schema, key));
  if (!isTuple && !isDraft4 && !hasOldWord && $ref === rest['$ref'] && !(isOld && $ref !== undefined)) return schema;
  const rewritten: Schema = {
    ...rest,
    ...(typeof id === 'string' && isOld ? { $id: id } : {}),
    ...(isTuple ? { prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) } : items === undefined ? {} : { items }),
    ...bounds(rest, 'minimum', 'exclusiveMinimum', exclusiveMinimum),
    ...bounds(rest, 'maximum', 'exclusiveMaximum', exclusiveMaximum),
    ...($recursiveRef === undefined ? {} : { $ref: $recursiveRef }),
    ...($ref === undefined ? {} : { $ref }),
  };
  return isOld && $ref !== undefined ? Object.fromEntries(Object.entries(rewritten).filter(([key]) => besideReference.has(key))) : rewritten;
}

function structureOf(schema: Schema): Schema {
  const isStructure = (key: string): boolean => [schemaLists, schemaMaps, schemas].some((keys) => keys.has(key)) || key === 'type' || key === '$ref';
  return mapSubschemas(Object.fromEntries(Object.entries(schema).filter(([key]) => isStructure(key))), structureOf);
}

/**
 * A schema that every value satisfies, in a form that Ajv does not optimize away. It declares a property, because Ajv would otherwise ignore the properties
 * that the `if` condition evaluated.
 */
const holdsAlways: Schema = { minProperties: 0, properties: { '': true } };

/** Rewrites valid schemas that Ajv 8.20 handles incorrectly, according to JSON-Schema-Test-Suite. */
function avoidFaults(schema: Schema): Schema {
  // Without both branches, Ajv does not count the properties that the condition evaluated.
  if ('if' in schema && !('then' in schema && 'else' in schema)) return avoidFaults({ then: holdsAlways, else: holdsAlways, ...schema });
  // Ajv ignores `contains`, including the items that it evaluates.
  if (schema['minContains'] === 0 && !('maxContains' in schema)) return avoidFaults({ ...schema, maxContains: Number.MAX_SAFE_INTEGER });
  // Ajv throws for an empty `enum`.
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0) return { ...schema, enum: undefined, not: {} };
  const { unevaluatedItems, ...rest } = schema;
  // Ajv compares a length with `true` if a branch evaluated all items.
  const branches = ['anyOf', 'oneOf', 'if', 'then', 'else'].map((key) => schema[key]);
  return unevaluatedItems !== undefined && JSON.stringify(branches).includes('"items":') ? rest : schema;
}

/** Renames the keyword in a JSON pointer that refers into a tuple. */
function renamePointer(reference: string): string {
  return reference.replace(/\/items\/(?=\d+(?:\/|$))/g, '/prefixItems/').replace(/\/additionalItems(?=\/|$)/g, '/items');
}

/** Converts an exclusive bound: draft 4 has a boolean keyword next to the bound; later drafts have a separate keyword. */
function bounds(schema: Schema, bound: string, exclusive: string, value: unknown): Schema {
  if (value === true) return { [bound]: undefined, [exclusive]: schema[bound] };
  return value === undefined || value === false ? {} : { [exclusive]: value };
}
