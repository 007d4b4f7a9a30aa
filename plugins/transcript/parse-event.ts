// Parses the event in a journal line, and validates it against the schema of its kind.
import { isRecord, jsonOf } from '#lib/values';
import type { TSchema } from 'typebox';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { eventSchemas, neededFields, type EventKind } from './events.ts';

type Check = (value: unknown) => boolean;
interface FieldCheck {
  readonly name: string;
  readonly fits: Check;
  readonly isNeeded: boolean;
}

const heads: readonly FieldCheck[] = ['at', 'chatId', 'turnId'].map((name) => ({ name, fits: isText, isNeeded: false }));
const shapes: ReadonlyMap<string, readonly FieldCheck[]> = new Map(
  Object.entries(eventSchemas).map(([kind, schema]) => [kind, checksOf(kind as EventKind, schema)]),
);

/** Returns the event of a line; `undefined` for a line that is not an event. Does not validate events of plugins. */
export function parseEvent(text: string): JournalEvent | undefined {
  const event = jsonOf(text) as JournalEvent | null | undefined;
  if (typeof event !== 'object' || event === null || !isEventId(event.id) || typeof event.kind !== 'string') return undefined;
  const shape = shapes.get(event.kind);
  return shape === undefined || fits(event, shape) ? event : undefined;
}

/** Returns whether the value is a valid event id that can be incremented. */
export function isEventId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function fits(event: JournalEvent, shape: readonly FieldCheck[]): boolean {
  for (const { name, fits: check, isNeeded } of shape) {
    const value = event[name];
    if (value === undefined ? isNeeded : !check(value)) return false;
  }
  return true;
}

function checksOf(kind: EventKind, schema: { readonly properties: Readonly<Record<string, TSchema>> }): readonly FieldCheck[] {
  const needed: readonly string[] = neededFields[kind];
  const own = Object.entries(schema.properties).map(([name, field]) => ({ name, fits: checkOf(field), isNeeded: needed.includes(name) }));
  return [...heads.filter(({ name }) => !own.some((one) => one.name === name)), ...own];
}

/** Creates a check of the outer structure of an event: the known fields, but not every choice and nested part. */
function checkOf(schema: TSchema): Check {
  const { type, anyOf, items, minimum } = schema as { type?: string; anyOf?: readonly TSchema[]; items?: TSchema; minimum?: number };
  if (anyOf) {
    const choices = anyOf.map(checkOf);
    return (value) => choices.some((check) => check(value));
  }
  switch (type) {
    case 'string':
      return isText;
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'integer':
      return minimum === undefined ? Number.isFinite : (value) => Number.isSafeInteger(value) && (value as number) >= minimum;
    case 'number':
      return Number.isFinite;
    case 'array': {
      const check = items === undefined ? () => true : checkOf(items);
      return (value) => Array.isArray(value) && value.every(check);
    }
    case 'object':
      return isRecord;
    default:
      return () => true;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
