// Converts validation errors of tool arguments to lines for the model, with the argument and the expected value.
import { textStart } from '#lib/text';
import type { ErrorObject } from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

/** Returns one line per error, at most ten. */
export function explainErrors(errors: readonly ErrorObject[]): string {
  const lines = [...new Set(withoutBranches(errors).map(explain))];
  return [...lines.slice(0, 10), ...(lines.length > 10 ? [`- and ${lines.length - 10} more`] : [])].join('\n');
}

/** Removes the errors of the branches of a failed union, because the error of the union is sufficient. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf').map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath, keyword }) => keyword !== 'if' && !unions.some((union) => schemaPath.startsWith(union)));
}

function explain({ keyword, instancePath, params, parentSchema, message, data }: ErrorObject): string {
  const schema = (parentSchema ?? {}) as Schema;
  const at = instancePath === '' ? '/' : instancePath;
  const named: Record<string, unknown> = params;
  switch (keyword) {
    case 'required': {
      const missing = String(named['missingProperty']);
      return `- ${join(instancePath, missing)} is missing: ${describeProperty(schema, missing)}`;
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const extra = String(named['additionalProperty'] ?? named['unevaluatedProperty']);
      const allowed = Object.keys(schema['properties'] ?? {});
      return `- ${join(instancePath, extra)} is not an argument; allowed ${allowed.length === 0 ? 'are none' : `are ${allowed.join(', ')}`}`;
    }
    case 'type':
    case 'const':
    case 'enum':
    case 'anyOf':
    case 'oneOf':
      return `- ${at} must be ${describe(schema)}, not ${describeValue(data)}`;
    default:
      return `- ${at} ${message ?? `violates ${keyword}`}`;
  }
}

function describeProperty(schema: Schema, name: string): string {
  const properties = (schema['properties'] ?? {}) as Schema;
  const property = (Object.hasOwn(properties, name) ? properties[name] : {}) as Schema | boolean;
  return typeof property === 'boolean' ? describeKind(property) : describe(property);
}

/** Describes the allowed values, for example `an integer from 1 to 10 (number of lines)`. */
function describe(schema: Schema): string {
  const text = typeof schema['description'] === 'string' ? ` (${schema['description']})` : '';
  return `${describeKind(schema)}${text}`;
}

/** Describes the kind of the allowed values. @param schema a nested schema, which may be `true` or `false` */
function describeKind(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'a value' : 'nothing';
  const branches = (schema['anyOf'] ?? schema['oneOf']) as readonly (Schema | boolean)[] | undefined;
  if (branches) return [...new Set(branches.map(describeKind))].join(' or ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map((one) => JSON.stringify(one)).join(', ')}`;
  const type = schema['type'];
  if (type === undefined) return 'a value';
  const types = (Array.isArray(type) ? type : [type]) as string[];
  return types.map((one) => withArticle(one)).join(' or ') + range(schema) + items(schema);
}

function range(schema: Schema): string {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return ` from ${Number(minimum)} to ${Number(maximum)}`;
  if (minimum !== undefined) return ` from ${Number(minimum)} up`;
  return maximum === undefined ? '' : ` up to ${Number(maximum)}`;
}

function items(schema: Schema): string {
  const item = schema['items'];
  return typeof item === 'object' && item !== null && 'type' in item ? `, each ${withArticle(String(item.type))}` : '';
}

function withArticle(type: string): string {
  return type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${textStart(text, 60)}…` : text;
}

function join(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
