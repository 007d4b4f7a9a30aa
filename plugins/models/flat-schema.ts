// Resolves the local references and `allOf` of one JSON schema node into plain keywords and a list of unions.
import { isRecord, stableJson } from '#lib/values';

export type Schema = Readonly<Record<string, unknown>>;

/** A node without `$ref`, `allOf`, `const` and unions. */
export interface FlatNode {
  readonly words: Schema;
  /** The unions (`anyOf` and `oneOf`), of each of which one branch applies. */
  readonly unions: readonly (readonly unknown[])[];
  /** Branches that apply under a condition: `then`, `else`, `dependentSchemas`. */
  readonly conditional: readonly (readonly unknown[])[];
  /** References that were followed to reach the node. A node that repeats one of them is recursive. */
  readonly path: ReadonlySet<string>;
}

/** Creates a function that flattens the nodes of one schema document, and returns `undefined` for a node that no value satisfies. */
export function createFlattener(root: unknown, maxVisits: number): (node: unknown, path: ReadonlySet<string>) => FlatNode | undefined {
  let visits = 0;

  function flatten(node: unknown, path: ReadonlySet<string>): FlatNode | undefined {
    if (++visits > maxVisits) throw new RangeError(`The schema needs more than ${maxVisits} steps to resolve.`);
    if (node === false) return undefined;
    if (!isRecord(node)) return { words: {}, unions: [], conditional: [], path };
    const { $ref, allOf, anyOf, oneOf, then: whenTrue, else: whenFalse, if: _, dependentSchemas, dependencies, const: constant, ...rest } = node;
    const flat: FlatNode = {
      words: 'const' in node ? mergeWords(rest, { enum: [constant] }) : rest,
      unions: [anyOf, oneOf].filter((union) => Array.isArray(union) && union.length > 0) as unknown[][],
      conditional: [
        ...(whenTrue === undefined && whenFalse === undefined ? [] : [[whenTrue ?? {}, whenFalse ?? {}]]),
        ...[dependentSchemas, dependencies].flatMap((map) => (isRecord(map) ? Object.values(map).filter(isRecord) : [])).map((one) => [one, {}]),
      ],
      path,
    };
    const others = [...(typeof $ref === 'string' ? [follow($ref, path)] : []), ...(Array.isArray(allOf) ? allOf.map((one) => flatten(one, path)) : [])];
    return others.reduce<FlatNode | undefined>((merged, other) => (merged && other ? mergeNodes(merged, other) : undefined), flat);
  }

  function follow(reference: string, path: ReadonlySet<string>): FlatNode | undefined {
    const target = findTarget(root, reference);
    if (!path.has(reference)) return flatten(target, new Set(path).add(reference));
    const { type, description } = isRecord(target) ? target : {};
    return { words: { type: type === 'array' ? type : 'object', ...(description === undefined ? {} : { description }) }, unions: [], conditional: [], path };
  }

  return flatten;
}

/** Returns the target of a reference. A reference to another document, or to a missing target, allows all values. */
function findTarget(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return {};
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  const keys = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keys.length === 0 && reference !== '#') return {};
  return keys.reduce((at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Schema)[key] : {}), root);
}

function mergeNodes(left: FlatNode, right: FlatNode): FlatNode {
  return {
    words: mergeWords(left.words, right.words),
    unions: [...left.unions, ...right.unions],
    conditional: [...left.conditional, ...right.conditional],
    path: new Set([...left.path, ...right.path]),
  };
}

/** Merges two schemas that both apply. If two keywords cannot be merged, keeps the left one. */
export function mergeWords(left: Schema, right: Schema): Schema {
  const merged = Object.entries(right).map(([key, value]) => [key, Object.hasOwn(left, key) ? mergeWord(key, left[key], value) : value] as const);
  return { ...left, ...Object.fromEntries(merged) };
}

const larger: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const smaller: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

function mergeWord(key: string, left: unknown, right: unknown): unknown {
  if ((key === 'properties' || key === 'patternProperties') && isRecord(left) && isRecord(right)) return mergeMaps(left, right);
  if (key === 'required' && Array.isArray(left) && Array.isArray(right)) return [...new Set<unknown>([...(left as unknown[]), ...(right as unknown[])])];
  if (key === 'enum' && Array.isArray(left) && Array.isArray(right)) {
    const allowed = new Set(right.map(stableJson));
    return left.filter((one) => allowed.has(stableJson(one)));
  }
  if (key === 'type') return mergeTypes([left].flat(), [right].flat());
  if (key === 'items' && isRecord(left) && isRecord(right)) return { allOf: [left, right] };
  if (typeof left !== 'number' || typeof right !== 'number') return left;
  return larger.has(key) ? Math.max(left, right) : smaller.has(key) ? Math.min(left, right) : left;
}

function mergeMaps(left: Schema, right: Schema): Schema {
  const merged = Object.entries(right).map(([name, one]) => [name, Object.hasOwn(left, name) ? { allOf: [left[name], one] } : one] as const);
  return { ...left, ...Object.fromEntries(merged) };
}

/** Returns the types that both lists allow; an integer is also a number. If there is none, argument validation detects the contradiction. */
function mergeTypes(left: readonly unknown[], right: readonly unknown[]): unknown {
  const isIn = (type: unknown, types: readonly unknown[]): boolean => types.includes(type) || (type === 'integer' && types.includes('number'));
  const both = [...left.filter((type) => isIn(type, right)), ...right.filter((type) => !left.includes(type) && isIn(type, left))];
  const types = both.length > 0 ? both : left;
  return types.length === 1 ? types[0] : types;
}
