// Remembers which plugins failed where nobody could catch it, so that the next start is without them.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, jsonOf } from 'agent-harness/lib/values';

export interface PluginFaults {
  /** Plugins that stay off, with the reason. */
  readonly off: readonly (readonly [name: string, reason: string])[];
  /** Contract: never throws; done when it returns, because the process may be about to end. */
  record(name: string, what: string): void;
  /** It was switched on again, or read anew. */
  forget(name?: string): void;
}

type Records = Record<string, string>;

export function openPluginFaults(home: string): PluginFaults {
  const path = join(home, 'plugin_faults.json');
  let records = read(path);

  function write(next: Records): void {
    records = next;
    try {
      writeFileSync(`${path}.tmp`, JSON.stringify(next, undefined, 2), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      // A home that cannot be written to is told by whoever has more to write.
    }
  }

  return {
    off: Object.entries(records).map(([name, what]) => [name, `off since this start, because it ${what} Switch it on to try it again.`]),
    record(name, what) {
      if (records[name] !== what) write({ ...records, [name]: what });
    },
    forget(name) {
      const { [name ?? '']: gone, ...others } = records;
      if (name === undefined ? Object.keys(records).length > 0 : gone !== undefined) write(name === undefined ? {} : others);
    },
  };
}

/** What is not there or cannot be read keeps nothing off; a file that makes no sense is moved aside. */
function read(path: string): Records {
  try {
    const text = readFileSync(path, 'utf8');
    const records = parse(text);
    if (!records) renameSync(path, `${path}.corrupt-${Date.now()}`);
    return records ?? {};
  } catch {
    return {};
  }
}

function parse(text: string): Records | undefined {
  const parsed = jsonOf(text);
  return isRecord(parsed) && Object.values(parsed).every((what) => typeof what === 'string') ? (parsed as Records) : undefined;
}
