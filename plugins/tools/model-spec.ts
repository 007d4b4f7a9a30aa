// Builds a tool's description for the model, whose schema lacks keywords that only the argument check needs.
import { mapSubschemas } from '#lib/foreign-schema';
import { isRecord } from '#lib/values';
import type { ModelToolSpec } from 'agent-harness/plugins/models';
import type { RegisteredTool } from './contract.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Returns the same object for the same tool. */
export function createModelSpecs(): (tool: RegisteredTool) => ModelToolSpec {
  const known = new WeakMap<RegisteredTool, ModelToolSpec>();
  return (tool) => {
    let spec = known.get(tool);
    if (!spec) known.set(tool, (spec = { name: tool.name, description: tool.description, input: shorten(tool.input as Schema, 0) }));
    return spec;
  };
}

/** A violation, which is rare, is reported; in every request, these keywords would cost tokens. */
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
/** Deeper schemas stay unchanged. */
const maxDepth = 50;

function shorten(schema: Schema, depth: number): Schema {
  if (depth > maxDepth) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !leftOut.has(key) && !(key === 'additionalProperties' && value === false));
  return asEnum(mapSubschemas(Object.fromEntries(kept), (inner) => shorten(inner, depth + 1)));
}

/** Shortens a union of texts to an enum. */
function asEnum(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || 'type' in rest || 'enum' in rest) return schema;
  const texts = anyOf.map((one: unknown) => (isRecord(one) && Object.keys(one).length === 2 && one['type'] === 'string' ? one['const'] : undefined));
  return texts.every((text) => typeof text === 'string') ? { type: 'string', enum: texts, ...rest } : schema;
}
