// Merges an edit with a concurrent edit by another administrator. Pure.
import { isRecord, stableJson } from '#lib/values';

export interface Merged<T> {
  readonly value: T;
  /** JSON pointers of conflicting changes, for which `mine` is used. */
  readonly clashes: readonly string[];
}

/** @param base the previous version that both edits are based on */
export function mergeDocuments<T extends object>(base: T, mine: T, theirs: T): Merged<T> {
  const clashes: string[] = [];
  const value = merge(base, mine, theirs, '', clashes) as T;
  return { value, clashes };
}

const isSame = (one: unknown, other: unknown): boolean => stableJson(one) === stableJson(other);

function merge(base: unknown, mine: unknown, theirs: unknown, path: string, clashes: string[]): unknown {
  if (isSame(mine, base) || isSame(mine, theirs)) return theirs;
  if (isSame(theirs, base)) return mine;
  if (isRecord(mine) && isRecord(theirs)) {
    const from = isRecord(base) ? base : {};
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
    const entries = keys.map((key) => [key, merge(from[key], mine[key], theirs[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, clashes)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (isNames(mine) && isNames(theirs) && (base === undefined || isNames(base))) {
    const gone = (base ?? []).filter((one) => !mine.includes(one));
    return [...new Set([...theirs.filter((one) => !gone.includes(one)), ...mine.filter((one) => !(base ?? []).includes(one))])];
  }
  clashes.push(path || '/');
  return mine;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
