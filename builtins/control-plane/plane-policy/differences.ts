// Calculates the differences between two versions of a document, for the history. Pure.
import { isRecord, stableJson } from '#lib/values';

export interface Difference {
  /** JSON pointer. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Returns the changed values; treats a list as a single value. */
export function differencesOf(before: unknown, after: unknown, path = ''): Difference[] {
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => differencesOf(before[key], after[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`));
  }
  if (stableJson(before) === stableJson(after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}
