// Converts between the input definition of a form and its field values.
import type { ViewInput } from 'agent-harness/view';
import type { FieldValue } from './view-context.ts';

export type Values = Readonly<Record<string, string | boolean>>;

/** Returns the initial values. @param given existing values, as text */
export function startOf(input: ViewInput | undefined, given: Readonly<Record<string, string>> = {}): Values {
  const needed = new Set(input?.required);
  return Object.fromEntries(
    Object.entries(input?.properties ?? {}).map(([name, { type, default: usual, enum: choices }]): [string, string | boolean] => {
      const text = given[name];
      if (type === 'boolean') return [name, text === undefined ? usual === true : /^(y|yes|true|on|1)$/i.test(text)];
      if (text !== undefined) return [name, text];
      return [name, usual === undefined ? (choices && needed.has(name) ? (choices[0] ?? '') : '') : String(usual)];
    }),
  );
}

/** Returns the input of an action, without empty fields. */
export function inputOf(input: ViewInput | undefined, values: Values): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    Object.entries(input?.properties ?? {}).flatMap(([name, { type }]): [string, FieldValue][] => {
      const value = values[name] ?? '';
      if (value === '') return [];
      return [[name, type === 'number' || type === 'integer' ? Number(value) : value]];
    }),
  );
}

/** Returns the values as address parameters, without those that equal the default. */
export function textsOf(input: ViewInput, values: Readonly<Record<string, FieldValue>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(input.properties).flatMap(([name, { type, default: usual = type === 'boolean' ? false : '' }]): [string, string][] => {
      const value = String(values[name] ?? '');
      return value === '' || value === String(usual) ? [] : [[name, value]];
    }),
  );
}
