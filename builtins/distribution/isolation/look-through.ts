// What keeps a plugin in the server's process, as far as its files show: found without running any of them.
import { readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, resolve, sep } from 'node:path';
import type { PluginManifest } from 'agent-harness/kernel';
import { isRecord } from 'agent-harness/lib/values';
import { harmless } from './harmless-modules.ts';
import { mayHear } from './heard-events.ts';
import { whyAtOnce } from './points.ts';
import { whyName } from './realm-names.ts';
import { readFacts, type FileFacts } from './syntax.ts';

export interface Look {
  /** What it says of itself: `{}` for nothing, `undefined` where only a run of it tells. */
  readonly manifest: PluginManifest | undefined;
  /** Members that it reads by name. */
  readonly members: ReadonlySet<string>;
  /** Why it runs in the process, as the end of a sentence; `undefined` where nothing shows. @param manifest left out: whatever that says */
  whyInProcess(manifest: PluginManifest | undefined): string | undefined;
}

const everything: Readonly<Record<string, unknown>> = { hosts: ['*'], read: [] };
/** Of one plugin; a larger one is not looked through. */
const most = { files: 200, bytes: 5_000_000 };

/** Contract: never rejects; what cannot be read as it stands runs in the process, where whoever loads it hears why. @param own its file or folder, and a folder beside it */
export async function lookThrough(path: string, own: readonly string[]): Promise<Look> {
  const looked = new Map<string, FileFacts>();
  const waiting = [path];
  let fault: string | undefined;
  let bytes = 0;
  for (let file = waiting.pop(); file !== undefined && fault === undefined; file = waiting.pop()) {
    if (looked.has(file)) continue;
    try {
      bytes += statSync(file).size;
      if (looked.size === most.files || bytes > most.bytes) throw new RangeError('it is too large');
      const facts = await readFacts(readFileSync(file, 'utf8'));
      looked.set(file, facts);
      for (const { from } of facts.imports) if (from !== undefined && /^\.\.?\//.test(from)) waiting.push(...ownFile(file, from, own));
    } catch {
      fault = 'cannot be looked through';
    }
  }
  const all = [...looked.entries()];
  const said = looked.get(path)?.manifest;
  return {
    manifest: (said === 'none' ? {} : said) as PluginManifest | undefined,
    members: new Set(all.flatMap(([, { members }]) => [...members])),
    whyInProcess(manifest) {
      if (fault !== undefined) return fault;
      for (const [file, facts] of all) {
        const why = whyFile(file, facts, manifest, own);
        if (why !== undefined) return why;
      }
      return undefined;
    },
  };
}

/** As code; what is no code holds nothing that runs. */
function ownFile(by: string, from: string, own: readonly string[]): string[] {
  const file = resolve(dirname(by), from.replace(/[?#].*$/, ''));
  return isOwn(file, own) && extname(file) !== '.json' ? [file] : [];
}

const isOwn = (file: string, own: readonly string[]): boolean => own.some((one) => file === one || file.startsWith(`${one}${sep}`));

function whyFile(file: string, facts: FileFacts, manifest: PluginManifest | undefined, own: readonly string[]): string | undefined {
  const capabilities: Readonly<Record<string, unknown>> = isRecord(manifest?.capabilities) ? manifest.capabilities : manifest ? {} : everything;
  const mayFetch = Array.isArray(capabilities['hosts']) && capabilities['hosts'].length > 0;
  for (const name of facts.globals) {
    const why = whyName(name, mayFetch);
    if (why !== undefined) return why;
  }
  for (const one of facts.imports) {
    const why = whyImport(file, one, facts, capabilities, own);
    if (why !== undefined) return why;
  }
  return manifest ? whyCalls(facts, manifest, capabilities) : undefined;
}

function whyImport(
  file: string,
  { from, names }: FileFacts['imports'][number],
  { members }: FileFacts,
  capabilities: Readonly<Record<string, unknown>>,
  own: readonly string[],
): string | undefined {
  if (from === undefined) return 'imports what it works out as it runs';
  if (/^\.\.?\//.test(from))
    return isOwn(resolve(dirname(file), from.replace(/[?#].*$/, '')), own) ? undefined : `imports '${from}', which is not in its own folder`;
  if (!isBuiltin(from)) return `imports '${from}'`;
  const bare = from.replace(/^node:/, '');
  // Who names paths, and be it none beyond its own folder, was written for walls around them.
  if (['fs', 'fs/promises'].includes(bare)) {
    return capabilities['read'] === undefined && capabilities['write'] === undefined ? 'uses files, and its manifest does not say which' : undefined;
  }
  const taken = harmless[bare];
  if (!taken || bare === 'module') return `uses node's module '${bare}'`;
  const reached = names.includes('*') ? taken.filter((one) => members.has(one) || names.includes(one)) : taken.filter((one) => names.includes(one));
  return reached[0] === undefined ? undefined : `uses '${reached[0]}' of node's module '${bare}'`;
}

/** What stands there by name; what it registers by other ways is seen when it is tried. */
function whyCalls(
  { calls, given: [registry = 'registry', emitter = 'emitter'] }: FileFacts,
  manifest: PluginManifest,
  capabilities: Readonly<Record<string, unknown>>,
): string | undefined {
  const hooks: unknown = capabilities['hooks'];
  const mayTap = (hook: string): boolean => Array.isArray(hooks) && hooks.includes(hook);
  for (const { on, name, first } of calls) {
    const isRegistry = on === registry || on === 'registry';
    const isEmitter = on === emitter || on === 'emitter';
    if (isRegistry && (name === 'provide' || name === 'point')) return `has a ${name === 'point' ? 'point' : 'service'} of its own`;
    if (isEmitter && name === 'hook') return 'has a hook of its own';
    if (first === undefined) continue;
    if (isEmitter && (name === 'tap' || name === 'call') && !mayTap(first)) return whyHook(first);
    if (isEmitter && name === 'on' && !mayHear(first, manifest)) return whyEvent(first);
    const why = isRegistry && name === 'add' ? whyPoint(first) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

export const whyHook = (hook: string): string => `takes part in '${hook}', and its manifest does not name that in capabilities.hooks`;
export const whyEvent = (event: string): string => `hears '${event}', and its manifest does not name that in capabilities.events`;

/** A rule that may allow would from a thread only ask and refuse. */
export function whyPoint(point: string, item?: unknown): string | undefined {
  return point === 'approval_rule' ? 'decides about approvals' : whyAtOnce(point, item);
}
