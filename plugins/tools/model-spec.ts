// What a model is shown of a tool: its schema without what only the check of the arguments needs.
import { mapSubschemas } from 'agent-harness/lib/foreign-schema';
import { isRecord } from 'agent-harness/lib/values';
import type { ModelToolSpec } from 'agent-harness/plugins/models';
import type { RegisteredTool } from './contract.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Answers the same object for the same tool each time. */
export function createModelSpecs(): (tool: RegisteredTool) => ModelToolSpec {
  const known = new WeakMap<RegisteredTool, ModelToolSpec>();
  return (tool) => {
    let spec = known.get(tool);
    if (!spec) known.set(tool, (spec = { name: tool.name, description: tool.description, input: shorten(tool.input as Schema, 0) }));
    return spec;
  };
}

/** Told when they are broken, which is rare; in every request they would have to be paid for. */
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
/** Deeper ones are shown as they are. */
const maxDepth = 50;

function shorten(schema: Schema, depth: number): Schema {
  if (depth > maxDepth) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !leftOut.has(key) && !(key === 'additionalProperties' && value === false));
  return asEnum(mapSubschemas(Object.fromEntries(kept), (inner) => shorten(inner, depth + 1)));
}

/** A union of texts is an enum in fewer words. */
function asEnum(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || 'type' in rest || 'enum' in rest) return schema;
  const texts = anyOf.map((one: unknown) => (isRecord(one) && Object.keys(one).length === 2 && one['type'] === 'string' ? one['const'] : undefined));
  return texts.every((text) => typeof text === 'string') ? { type: 'string', enum: texts, ...rest } : schema;
}
