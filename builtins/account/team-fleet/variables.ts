// Reads the settings variables of a fleet configuration. Pure.
import { isRecord } from '#lib/values';

/** Returns the values by variable name; ignores values that are not strings. */
export function variablesIn(config: unknown): Readonly<Record<string, string>> {
  const harness = isRecord(config) ? config['harness'] : undefined;
  const env = isRecord(harness) ? harness['env'] : undefined;
  return Object.fromEntries(Object.entries(isRecord(env) ? env : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
