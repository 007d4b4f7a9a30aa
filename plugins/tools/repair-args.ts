// Repairs common mistakes of models in tool arguments: numbers and lists as strings, an object instead of a list with one element, `null` and `""` for optional
// values.
import { isRecord } from '#lib/values';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { readJson } from './parse-args.ts';

type Args = Record<string, unknown>;

/** Maximum number of rounds. Each repairs mistakes that the previous one revealed, such as strings in a list that was itself a string. */
const maxRounds = 4;

/**
 * Changes `args` in place until they match, or no repair is left.
 * @param validate the check that has just rejected `args`
 * @param isModels whether the model wrote the arguments; in arguments that the user edited, only strings are converted to numbers and booleans
 * @returns whether the arguments match; if not, `validate.errors` contains the remaining errors
 */
export function repairArgs(args: Args, validate: ValidateFunction, isModels: boolean): boolean {
  for (let round = 0; round < maxRounds; round++) {
    const faults = faultsByPlace(validate.errors ?? []).map(([pointer, fault]) => repairAt(args, pointer, fault, isModels));
    if (!faults.some(Boolean)) return false;
    if (validate(args)) return true;
  }
  return false;
}

/** Changes `args` in place: removes `""` for an optional argument whose format does not match an empty string. Other values are not checked against formats. */
export function leaveOutEmpty(args: Args, { properties, required }: Readonly<Record<string, unknown>>): void {
  for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    const isOptional = !Array.isArray(required) || !required.includes(name);
    if (args[name] === '' && isOptional && isRecord(schema) && neverEmpty.has(String(schema['format']))) delete args[name];
  }
}

const neverEmpty: ReadonlySet<string> = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6', 'uri', 'iri', 'url', 'uuid'],
]);

interface Fault {
  readonly value: unknown;
  /** The types that the schema allows for the value; for a union, those of all branches. */
  readonly types: Set<string>;
}

function faultsByPlace(errors: readonly ErrorObject[]): [pointer: string, Fault][] {
  const places = new Map<string, Fault>();
  for (const { keyword, instancePath, schema, data } of errors) {
    const fault = places.get(instancePath) ?? { value: data, types: new Set() };
    places.set(instancePath, fault);
    if (keyword === 'type') for (const type of [schema as string | readonly string[]].flat()) fault.types.add(type);
  }
  return [...places];
}

function repairAt(root: Args, pointer: string, { value, types }: Fault, isModels: boolean): boolean {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  const parent = keys.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Args)[key] : undefined), root);
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  // If the field is required, the next check reports it as missing.
  if (isModels && (value === null || value === '') && !Array.isArray(parent)) return delete (parent as Args)[last];
  const repaired = scalarAs(types, value) ?? (isModels ? structureAs(types, value) : undefined);
  if (repaired === undefined) return false;
  (parent as Args)[last] = repaired;
  return true;
}

function scalarAs(types: ReadonlySet<string>, value: unknown): string | number | boolean | undefined {
  if (typeof value === 'number' && types.has('string')) return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = types.has('number') && /^-?\d+(\.\d+)?$/.test(value);
  const isInteger = types.has('integer') && /^-?\d+$/.test(value);
  return (isNumber || isInteger) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined;
}

function structureAs(types: ReadonlySet<string>, value: unknown): object | undefined {
  const read = typeof value === 'string' && /^\s*[[{]/.test(value) ? readJson(value) : value;
  if (Array.isArray(read)) return read !== value && types.has('array') ? (read as unknown[]) : undefined;
  if (!isRecord(read)) return undefined;
  if (types.has('object')) return read === value ? undefined : read;
  return types.has('array') ? [read] : undefined;
}
