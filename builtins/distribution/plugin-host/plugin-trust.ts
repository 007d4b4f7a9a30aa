// Stores the user's decisions about third-party plugins: isolation and approved capabilities.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginIsolation } from 'agent-harness/kernel';
import { isRecord, jsonOf } from '#lib/values';
import type { PluginTrust } from 'agent-harness/plugins/settings';
import { capabilitiesIn, describeCapabilities, grown, readCapabilities, type Capabilities } from './capabilities.ts';

export interface PluginDecisions extends PluginTrust {
  /** Returns the isolation that the user chose, which overrides the manifest; `undefined` if the user chose none. */
  choiceOf(name: string): PluginIsolation | undefined;
  /** Returns a text that changes with each decision. */
  stampOf(name: string): string;
  /** Deletes the decisions about a plugin. Throws on file system errors. */
  forget(name: string): void;
  /** Stores the requested capabilities. Returns the descriptions of those that are not approved. */
  saw(name: string, capabilities: Capabilities): readonly string[];
}

interface Decision {
  readonly isolation?: Exclude<PluginIsolation, 'worker'>;
  readonly agreed?: Capabilities;
}

/** @param isAsking whether capabilities need approval */
export function openPluginTrust(home: string, isAsking: boolean): PluginDecisions {
  const path = join(home, 'plugin_trust.json');
  const seen = new Map<string, Capabilities>();
  let decisions: ReadonlyMap<string, Decision> = read(path);

  const asksOf = (name: string): string[] => {
    const now = seen.get(name);
    return now && isAsking ? grown(decisions.get(name)?.agreed, now) : [];
  };

  function write(next: ReadonlyMap<string, Decision>): void {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.tmp`, JSON.stringify(Object.fromEntries(next), undefined, 2), { mode: 0o600, flush: true });
    renameSync(`${path}.tmp`, path);
    decisions = next;
  }

  const without = (name: string): [string, Decision][] => [...decisions].filter(([one]) => one !== name);

  return {
    of(name) {
      const now = seen.get(name);
      const chosen = decisions.get(name)?.isolation;
      return { ...(chosen ? { chosen } : {}), capabilities: now ? describeCapabilities(now) : [], asks: asksOf(name) };
    },
    decide(name, { isolation, agree }) {
      const { isolation: before, agreed } = decisions.get(name) ?? {};
      const chosen = isolation === undefined ? before : (isolation ?? undefined);
      const now = agree === true ? (seen.get(name) ?? agreed) : agree ? readCapabilities(agree) : agreed;
      write(new Map([...without(name), ...decisionOf(name, chosen, now)]));
    },
    forget: (name) => (decisions.has(name) ? write(new Map(without(name))) : undefined),
    choiceOf: (name) => decisions.get(name)?.isolation,
    stampOf: (name) => JSON.stringify(decisions.get(name) ?? ''),
    saw(name, capabilities) {
      seen.set(name, capabilities);
      return asksOf(name);
    },
  };
}

/** Returns the row to store; `undefined` if there is no decision. */
function decisionOf(name: string, isolation: Decision['isolation'], agreed: Capabilities | undefined): [string, Decision][] {
  return isolation || agreed ? [[name, { ...(isolation ? { isolation } : {}), ...(agreed ? { agreed } : {}) }]] : [];
}

/** Reads the decisions. A missing or damaged file contains no decisions, which leads to more approval requests, never fewer. */
function read(path: string): Map<string, Decision> {
  try {
    const found = jsonOf(readFileSync(path, 'utf8'));
    return new Map(
      Object.entries(isRecord(found) ? found : {}).flatMap(([name, one]) => {
        if (!isRecord(one)) return [];
        // Files of version 0.1 may contain `worker`. Threads provide no isolation, so such a plugin now runs in a child process.
        const isolation = one['isolation'] === 'process' ? 'process' : ['worker', 'child'].includes(String(one['isolation'])) ? 'child' : undefined;
        return decisionOf(name, isolation, capabilitiesIn(one['agreed']));
      }),
    );
  } catch {
    return new Map();
  }
}
