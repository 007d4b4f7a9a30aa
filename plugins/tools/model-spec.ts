// Builds the description of a tool for the model. Its schema omits the keywords that only the argument check needs.
import { mapSubschemas } from '#lib/foreign-schema';
import { isRecord } from '#lib/values';
import type { ModelToolSpec } from 'agent-harness/plugins/models';
import type { RegisteredTool } from './contract.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Creates a function that returns the description of a tool; always the same object for the same tool. */
export function createModelSpecs(): (tool: RegisteredTool) => ModelToolSpec {
  const known = new WeakMap<RegisteredTool, ModelToolSpec>();
  return (tool) => {
    let spec = known.get(tool);
    if (!spec) known.set(tool, (spec = { name: tool.name, description: tool.description, input: shorten(tool.input as Schema, 0) }));
    return spec;
  };
}

/** Keywords that are omitted to save tokens in every request. The argument check reports violations, which are rare. */
const leftOut: ReadonlySet<string> = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
/** Maximum nesting depth; deeper schemas stay unchanged. */
const maxDepth = 50;

function shorten(schema: Schema, depth: number): Schema {
  if (depth > maxDepth) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !leftOut.has(key) && !(key === 'additionalProperties' && value === false));
  return asEnum(mapSubschemas(Object.fromEntries(kept), (inner) => shorten(inner, depth + 1)));
}

/** Converts a union of string constants to an enum. */
function asEnum(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || 'type' in rest || 'enum' in rest) return schema;
  const texts = anyOf.map((one: unknown) => (isRecord(one) && Object.keys(one).length === 2 && one['type'] === 'string' ? one['const'] : undefined));
  return texts.every((text) => typeof text === 'string') ? { type: 'string', enum: texts, ...rest } : schema;
}
