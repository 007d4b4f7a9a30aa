// Reads the variables of a fleet configuration. Only visible, persistent settings that are not secret may be set.
import { isRecord } from '#lib/values';

export function variablesIn(config: unknown): Readonly<Record<string, string>> {
  const harness = isRecord(config) ? config['harness'] : undefined;
  const env = isRecord(harness) ? harness['env'] : undefined;
  return Object.fromEntries(Object.entries(isRecord(env) ? env : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
