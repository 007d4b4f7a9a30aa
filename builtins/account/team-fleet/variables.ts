// The variables of a fleet configuration. Which of them may be set is for the settings to say: those that show, last and are no secret.
import { isRecord } from 'agent-harness/lib/values';

export function variablesIn(config: unknown): Readonly<Record<string, string>> {
  const harness = isRecord(config) ? config['harness'] : undefined;
  const env = isRecord(harness) ? harness['env'] : undefined;
  return Object.fromEntries(Object.entries(isRecord(env) ? env : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
