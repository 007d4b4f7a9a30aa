// The settings interface of the kernel: one section of values per plugin. The host supplies the values.
import type { ConfigStore, PropertySchema } from './types.ts';

type Values = Record<string, unknown>;

/** Every setting has the default of its schema. For a host without settings. */
export function createDefaults(): ConfigStore {
  const valuesOf = (schema: unknown): Values =>
    Object.fromEntries(propertiesOf(schema).flatMap(([key, one]) => (one.default === undefined ? [] : [[key, one.default]])));
  return { slice: (_, schema) => ({ values: valuesOf(schema), fields: [] }), check: () => undefined, replacePreferences: () => undefined };
}

/** The properties of an object schema, of TypeBox and plain JSON Schema alike. */
export function propertiesOf(schema: unknown): [string, PropertySchema][] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return [];
  return Object.entries(schema.properties as Record<string, PropertySchema>);
}

/** Returns whether a key has the same value, or a getter that throws the same fault, in both. */
export function isSameValue(key: string, one: Values, other: Values): boolean {
  return stateOf(one, key) === stateOf(other, key);
}

function stateOf(values: Values, key: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(values, key);
  const get = descriptor?.get;
  return get && 'why' in get ? get.why : (descriptor?.value as unknown);
}

/** Copies the value of a key without reading it, including a throwing getter or its absence. */
export function copyValue(key: string, from: Values, to: Values): void {
  const descriptor = Object.getOwnPropertyDescriptor(from, key) ?? { value: undefined, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(to, key, descriptor);
}
