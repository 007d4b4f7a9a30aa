// What a model is shown of a tool: its schema without what only the check of the arguments needs.
import { isRecord } from 'agent-harness/lib/values';
import type { ModelToolSpec } from 'agent-harness/plugins/models';
import type { RegisteredTool } from './contract.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Answers the same object for the same tool each time. */
export function createModelSpecs(): (tool: RegisteredTool) => ModelToolSpec {
  const known = new WeakMap<RegisteredTool, ModelToolSpec>();
  return (tool) => {
    let spec = known.get(tool);
    if (!spec) known.set(tool, (spec = { name: tool.name, description: tool.description, input: shorten(tool.input, 0) }));
    return spec;
  };
}

/** Told when they are broken, which is rare; in every request they would have to be paid for. */
const bounds: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems']);
/** Deeper ones are shown as they are. */
const maxDepth = 50;
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const schemaMaps = ['properties', '$defs', 'definitions', 'patternProperties'];
const schemas = ['items', 'additionalProperties', 'not'];

function shorten(schema: object, depth: number): object {
  if (depth > maxDepth) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !bounds.has(key) && !(key === 'additionalProperties' && value === false));
  return asEnum(Object.fromEntries(kept.map(([key, value]: [string, unknown]) => [key, shortenPart(key, value, depth + 1)])));
}

function shortenPart(key: string, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schemaLists.includes(key) && Array.isArray(value)) return value.map((one: unknown) => (isRecord(one) ? shorten(one, depth) : one));
  if (schemaMaps.includes(key) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]: [string, unknown]) => [name, isRecord(one) ? shorten(one, depth) : one]));
  }
  return schemas.includes(key) && isRecord(value) ? shorten(value, depth) : value;
}

/** A union of texts is an enum in fewer words. */
function asEnum(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || 'type' in rest || 'enum' in rest) return schema;
  const texts = anyOf.map((one: unknown) => (isRecord(one) && Object.keys(one).length === 2 && one['type'] === 'string' ? one['const'] : undefined));
  return texts.every((text) => typeof text === 'string') ? { type: 'string', enum: texts, ...rest } : schema;
}
