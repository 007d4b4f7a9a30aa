// Reads the registrations of an isolated plugin from the bytes that it sent.
import { deserialize } from 'node:v8';
import { isRecord } from 'agent-harness/lib/values';
import type { Registration } from './child-registry.ts';
import { decode, heldIdOf, refuseOversized, type Crossing, type Held } from './rpc-codec.ts';

/** The registrations that a child sent. Throws for bytes of another shape. */
export function registrationsOf(bytes: Uint8Array, decodeWire: (wire: unknown) => unknown): readonly Registration[] {
  const wire: unknown = deserialize(bytes);
  refuseOversized(wire);
  const value = decodeWire(wire);
  const isOne = (one: unknown): boolean => isRecord(one) && Number.isSafeInteger(one['handle']) && Array.isArray(one['args']);
  if (Array.isArray(value) && value.every(isOne)) return value as readonly Registration[];
  throw new Error('it answered something else than what it registers');
}

/** The registrations of an earlier start, with stubs for their functions. */
export function registrationsBefore(bytes: Uint8Array, stub: (id: string) => Held): readonly Registration[] {
  const nothing = (): never => {
    throw new Error('what was registered before holds nothing of this start');
  };
  const crossing: Crossing = { stubOf: stub, hold: nothing, idOf: nothing, heldUnder: nothing, holdSignal: nothing, signalOf: nothing };
  return registrationsOf(bytes, (wire) => decode(wire, crossing));
}

/** Whether two lists of registrations have the same functions at the same places under the same ids. */
export function haveSameDoors(one: Uint8Array, other: Uint8Array): boolean {
  return doorsIn(deserialize(one)) === doorsIn(deserialize(other));
}

function doorsIn(wire: unknown, path = ''): string {
  if (typeof wire !== 'object' || wire === null) return '';
  const id = heldIdOf(wire);
  return id === undefined
    ? Object.entries(wire)
        .map(([key, one]) => doorsIn(one, `${path}.${key}`))
        .join('')
    : `${path}=${id};`;
}
