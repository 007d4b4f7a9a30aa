// Reverts one change of a text and keeps later changes by others: JSON by field and item, other text by line. Pure.
import { isRecord, jsonOf, stableJson } from '#lib/values';
import { takenOut } from './file-diff.ts';

export interface StateVersions {
  readonly before: string | null;
  readonly after: string | null;
  readonly now: string | null;
}

const nothing = Symbol('both changed the same');

/** Returns the merged text; `undefined` if there is a conflict. @param volatile names of metadata fields */
export async function mergeState({ before, after, now }: StateVersions, volatile: readonly string[] = []): Promise<string | null | undefined> {
  const plain = (text: string | null): string | null => (volatile.length === 0 ? text : withoutFieldsOf(text, volatile));
  if (plain(now) === plain(after)) return before;
  if (plain(now) === plain(before)) return now;
  if (before === null || after === null || now === null) return undefined;
  const values = [before, after, now].map((text) => jsonOf(text));
  if (values.every((value) => isRecord(value)) || values.every((value) => Array.isArray(value))) {
    const [one, two, three] = values.map((value) => (volatile.length === 0 ? value : stripped(value, volatile)));
    const merged = await without(one, two, three);
    if (merged === nothing) return undefined;
    return writtenLike(now, volatile.length === 0 ? merged : { ...(merged as object), ...pickedFrom(values[2], volatile) });
  }
  const [one, two, three] = [before, after, now].map((text) => Buffer.from(text));
  const text = one && two && three && (await takenOut(one, two, three));
  return text?.toString('utf8');
}

/** Reverts one value (`undefined`: missing field). Returns {@link nothing} if there is a conflict. */
async function without(before: unknown, after: unknown, now: unknown): Promise<unknown> {
  if (isSame(now, after)) return before;
  if (isSame(before, after) || isSame(now, before)) return now;
  if (isRecord(before) && isRecord(after) && isRecord(now)) return withoutFields(before, after, now);
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(now)) return withoutItems(before, after, now);
  if (typeof before !== 'string' || typeof after !== 'string' || typeof now !== 'string') return nothing;
  const merged = await takenOut(Buffer.from(before), Buffer.from(after), Buffer.from(now));
  return merged === undefined ? nothing : merged.toString('utf8');
}

type Fields = Readonly<Record<string, unknown>>;

async function withoutFields(before: Fields, after: Fields, now: Fields): Promise<unknown> {
  const merged: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const value = await without(before[key], after[key], now[key]);
    if (value === nothing) return nothing;
    if (value !== undefined) merged.push([key, value]);
  }
  // A field that the change added and others removed stays absent.
  return Object.fromEntries(merged);
}

/** Reverts the change of a list by item: removes added items, and inserts each removed item after its former predecessor. */
function withoutItems(before: readonly unknown[], after: readonly unknown[], now: readonly unknown[]): unknown {
  const [was, became, is] = [before, after, now].map((items) => items.map((item) => stableJson(item))) as [string[], string[], string[]];
  const isPlain = [was, became, is].every((keys) => new Set(keys).size === keys.length);
  const stayed = (keys: readonly string[], others: readonly string[]): string => keys.filter((key) => others.includes(key)).join('\n');
  if (!isPlain || stayed(was, became) !== stayed(became, was)) return nothing;
  const came = became.filter((key) => !was.includes(key));
  // A changed item cannot be distinguished from a new one.
  if (came.some((key) => !is.includes(key))) return nothing;
  const left = is.filter((key) => !came.includes(key));
  for (const [index, key] of was.entries()) {
    if (became.includes(key) || left.includes(key)) continue;
    const behind = was.slice(0, index).findLast((one) => left.includes(one));
    left.splice(behind === undefined ? 0 : left.indexOf(behind) + 1, 0, key);
  }
  const values = new Map([...was.map((key, at) => [key, before[at]] as const), ...is.map((key, at) => [key, now[at]] as const)]);
  return left.map((key) => values.get(key));
}

function withoutFieldsOf(text: string | null, names: readonly string[]): string | null {
  const value = text === null ? undefined : jsonOf(text);
  return isRecord(value) ? stableJson(stripped(value, names)) : text;
}

function stripped(value: unknown, names: readonly string[]): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key))) : value;
}

function pickedFrom(value: unknown, names: readonly string[]): object {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => names.includes(key))) : {};
}

const isSame = (one: unknown, other: unknown): boolean => one === other || (one !== undefined && other !== undefined && stableJson(one) === stableJson(other));

/** Serializes a value with the indentation and the line ending of the text. */
function writtenLike(text: string, value: unknown): string {
  const [, indent] = /^[{[]\r?\n([ \t]+)/.exec(text) ?? [];
  return `${JSON.stringify(value, undefined, indent)}${/\n$/.test(text) ? '\n' : ''}`;
}
