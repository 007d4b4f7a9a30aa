// Stores which plugins are quarantined and why, until their files change or a person enables them again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, jsonOf } from 'agent-harness/lib/values';

/** Why a plugin is quarantined. */
export interface PluginFault {
  /** What it did, as the end of a sentence: `it <reason>`. */
  readonly reason: string;
  /** Of what it held then; left out where that is not known. */
  readonly content?: string;
}

export interface PluginFaults {
  of(name: string): PluginFault | undefined;
  /** Contract: never throws; done when it returns, because the process may be about to end. The first reason stays, of one content. */
  record(name: string, fault: PluginFault): void;
  /** It was switched on again, or read anew. */
  forget(name?: string): void;
}

/** A text alone is a reason. */
type Records = Readonly<Record<string, string | PluginFault>>;

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

  function of(name: string): PluginFault | undefined {
    const found = Object.hasOwn(records, name) ? records[name] : undefined;
    return typeof found === 'string' ? { reason: found } : found;
  }

  return {
    of,
    record(name, fault) {
      const known = of(name);
      if (!known || known.content !== fault.content) write({ ...records, [name]: fault });
    },
    forget(name) {
      const { [name ?? '']: gone, ...others } = records;
      if (name === undefined ? Object.keys(records).length > 0 : gone !== undefined) write(name === undefined ? {} : others);
    },
  };
}

/** What is not there or cannot be read puts nothing quarantine; a file that makes no sense is moved out of the way. */
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
  const isFault = (value: unknown): boolean =>
    typeof value === 'string' ||
    (isRecord(value) && typeof value['reason'] === 'string' && (value['content'] === undefined || typeof value['content'] === 'string'));
  return isRecord(parsed) && Object.values(parsed).every(isFault) ? (parsed as Records) : undefined;
}
