// Copies a value without the fields that its schema does not declare or that the reader may not see. Compiles no code, because that would
// slow down startup.

type Schema = Readonly<Record<string, unknown>>;

/** Schema keyword of a field: the permission that is needed to read it. Other readers receive the object without the field, so it must be optional. */
export const permissionKey = 'x-permission';

/**
 * Returns the filtered copy as a JSON value. Parts without a detailed schema (`{}`, `type: object` without properties) stay unchanged.
 * @param may returns whether the reader has the permission of a field, see {@link permissionKey}; default: the reader has all permissions
 */
export function filterBySchema(schema: unknown, value: unknown, may: (permission: string) => boolean = everything): unknown {
  return copy(schema, toPlain(value), { schema, may });
}

/** Returns whether any field, at any depth, has a permission. */
export function hasPermissions(schema: unknown): boolean {
  return JSON.stringify(schema ?? {}).includes(`"${permissionKey}"`);
}

interface Whole {
  readonly schema: unknown;
  readonly may: (permission: string) => boolean;
}

const everything = (): boolean => true;

/** Applies `toJSON` (for example of dates), as `JSON.stringify` does. */
function toPlain(value: unknown): unknown {
  const hasToJson = typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
  return hasToJson ? (value.toJSON as () => unknown)() : value;
}

function copy(given: unknown, value: unknown, root: Whole): unknown {
  const schema = resolve(given, root);
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copyList(schema, value, root);
  const shapes = shapesOf(schema, value as Schema, root);
  if (!shapes.some(describesFields)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(value)) {
    const field = toPlain(raw);
    const rules = shapes.flatMap((shape) => ruleFor(shape, name) ?? []);
    if (rules.length === 0 || field === undefined || !rules.every((rule) => isFor(rule, root))) continue;
    setField(kept, name, rules.length === 1 ? copy(rules[0], field, root) : copy({ anyOf: rules }, field, root));
  }
  return kept;
}

function copyList(schema: Schema, list: readonly unknown[], root: Whole): unknown[] {
  const items = [schema, ...branchesOf(schema, root)].flatMap((one) => (one['items'] === undefined ? [] : [one['items']]));
  const [only] = items;
  if (only === undefined) return list.map(toPlain);
  if (Array.isArray(only)) return list.slice(0, only.length).map((item, at) => copy(only[at], toPlain(item), root));
  return list.map((item) => copy(items.length === 1 ? only : { anyOf: items }, toPlain(item), root));
}

/** Returns the schemas that apply to the fields of an object: the schema itself, all of `allOf`, and the matching branches of a union. */
function shapesOf(schema: Schema, value: Schema, root: Whole): Schema[] {
  const all = listAt(schema, 'allOf').flatMap((one) => deeper(one, value, root));
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  const fitting = choices.filter((one) => fits(resolve(one, root), value, root)).flatMap((one) => deeper(one, value, root));
  const nothing: Schema[] = choices.length > 0 && fitting.length === 0 ? [{ properties: {} }] : [];
  return [...(describesFields(schema) ? [schema] : []), ...all, ...fitting, ...nothing];
}

function deeper(given: unknown, value: Schema, root: Whole): Schema[] {
  const schema = resolve(given, root);
  return schema ? shapesOf(schema, value, root) : [];
}

function branchesOf(schema: Schema, root: Whole): Schema[] {
  return ['allOf', 'anyOf', 'oneOf']
    .flatMap((key) => listAt(schema, key))
    .map((one) => resolve(one, root))
    .filter((one) => one !== undefined);
}

/** Returns whether an object may belong to a branch of a union: it has all required fields, and no constant differs. */
function fits(schema: Schema | undefined, value: Schema, root: Whole): boolean {
  if (schema === undefined) return true;
  if (schema['type'] !== undefined && schema['type'] !== 'object') return false;
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (choices.length > 0 && !choices.some((one) => fits(resolve(one, root), value, root))) return false;
  if (!listAt(schema, 'allOf').every((one) => fits(resolve(one, root), value, root))) return false;
  if (!listAt(schema, 'required').every((name) => value[String(name)] !== undefined)) return false;
  return Object.entries(recordAt(schema, 'properties')).every(([name, rule]) => {
    const field = value[name];
    const constant = (rule as Schema | undefined)?.['const'];
    return field === undefined || constant === undefined || constant === field;
  });
}

function describesFields(schema: Schema): boolean {
  return 'properties' in schema || 'patternProperties' in schema || 'additionalProperties' in schema;
}

function ruleFor(schema: Schema, name: string): unknown {
  const properties = recordAt(schema, 'properties');
  if (Object.hasOwn(properties, name)) return properties[name];
  const pattern = Object.entries(recordAt(schema, 'patternProperties')).find(([text]) => new RegExp(text, 'u').test(name));
  if (pattern) return pattern[1];
  const others = schema['additionalProperties'];
  return others === false ? undefined : others;
}

function isFor(rule: unknown, { may }: Whole): boolean {
  const permission = typeof rule === 'object' && rule !== null ? (rule as Schema)[permissionKey] : undefined;
  return typeof permission !== 'string' || may(permission);
}

/** Follows `$ref` inside the document; ignores `true` and missing targets. */
function resolve(schema: unknown, { schema: root }: Whole): Schema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const ref = (schema as Schema)['$ref'];
  if (typeof ref !== 'string') return schema as Schema;
  const steps = ref.startsWith('#/') ? ref.slice(2).split('/') : ['$defs', ref];
  const found = steps.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? (at as Schema)[step] : undefined), root);
  return ref === '#' ? (root as Schema) : (found as Schema | undefined);
}

function listAt(schema: Schema, key: string): readonly unknown[] {
  const list = schema[key];
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

function recordAt(schema: Schema, key: string): Readonly<Record<string, unknown>> {
  const record = schema[key];
  return typeof record === 'object' && record !== null ? (record as Schema) : {};
}

/** Sets a field with `defineProperty`, because an assignment to `__proto__` would set the prototype. */
function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true });
  else target[name] = value;
}
