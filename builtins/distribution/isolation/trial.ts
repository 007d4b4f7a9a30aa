// Has a plugin register in a thread, with nothing of the server behind it, to see whether all of that could come from there.
import { join } from 'node:path';
import type { PluginManifest } from 'agent-harness/kernel';
import { withLimit } from 'agent-harness/lib/async';
import { isRecord } from 'agent-harness/lib/values';
import type { Capabilities } from './capabilities.ts';
import { onlyInProcess, ownParts, type Registration, type Setting } from './guest-registry.ts';
import { openGuest, type Doors } from './guest-run.ts';
import { registrationsBefore } from './registrations.ts';
import type { Registered } from './guest.ts';
import { mayHear, notNamed } from './heard-events.ts';
import type { KeptRegistrations } from './kept-file.ts';
import { settingKey } from './kept.ts';
import { launchGuest } from './launch.ts';
import { whyEvent, whyHook, whyPoint } from './look-through.ts';

export interface TrialParts {
  readonly path: string;
  readonly own: readonly string[];
  readonly manifest: PluginManifest & { readonly name: string };
  readonly capabilities: Capabilities;
  /** Parent of the folders that plugins keep data in. */
  readonly dataDir: string;
  /** Members that its code reads by name. */
  readonly members: ReadonlySet<string>;
}

export interface Trial {
  /** What only the process could do for it, as the end of a sentence. */
  readonly because?: string;
  /** What it registered, where it need not run again for that. */
  readonly registered?: KeptRegistrations;
  /** It registered; else its fault is told by whoever loads it. */
  readonly isWhole: boolean;
}

const trialMs = 2_000;
/** What a handler in a thread is not given. */
const secrets = ['token', 'request', 'reply', 'authorization', 'cookie'];

/** Contract: never rejects, and nothing of it runs on. What it throws there decides nothing, or failing would be a way out of the thread. */
export async function tryApart({ path, own, manifest, capabilities, dataDir, members }: TrialParts): Promise<Trial> {
  const data = join(dataDir, manifest.name);
  const running = launchGuest(
    'worker',
    { readable: [...own, ...capabilities.read], writable: [data, ...capabilities.write], memoryMb: capabilities.memoryMb },
    undefined,
  );
  let used = 0;
  const nothing = (): never => {
    used++;
    throw new Error('nothing of the server is there while a plugin is tried');
  };
  const ignored = (): void => void used++;
  const doors: Doors = { log: ignored, emit: ignored, register: ignored, dispose: ignored, hook: nothing, fetch: nothing, service: nothing };
  const setting: Setting = { run: 0, dataDir: data, config: defaultsOf(manifest), services: [] };
  try {
    const { membrane } = openGuest(running, doors, undefined, () => void running.kill());
    const registering = new Promise((resolve, reject) => {
      running.onEnd((why) => reject(new Error(why)));
      membrane.call('register', [path, manifest, setting]).then(resolve, reject);
    });
    const late = (): never => {
      throw new Error('it took too long');
    };
    const { bytes, isDone, lost } = (await withLimit(registering, trialMs, late)) as Registered;
    const because =
      whyRegistered(
        registrationsBefore(bytes, () => () => undefined),
        manifest,
        members,
      ) ?? (lost === undefined ? undefined : 'adds objects of classes');
    if (because !== undefined) return { because, isWhole: true };
    return isDone && used === 0 ? { registered: { setting: settingKey(setting), bytes }, isWhole: true } : { isWhole: true };
  } catch (fault) {
    const because = whyRefused(fault);
    return because === undefined ? { isWhole: false } : { because, isWhole: true };
  } finally {
    await running.kill();
  }
}

function whyRegistered(all: readonly Registration[], manifest: PluginManifest, members: ReadonlySet<string>): string | undefined {
  const hooks: unknown = manifest.capabilities?.['hooks'];
  for (const { kind, args } of all) {
    const [name, item] = args as [string, unknown];
    const why =
      (kind === 'add' ? (whyPoint(name, item) ?? whyItem(name, item, members)) : undefined) ??
      (kind === 'tap' && !(Array.isArray(hooks) && hooks.includes(name)) ? whyHook(name) : undefined) ??
      (kind === 'on' && !mayHear(name, manifest) ? whyEvent(name) : undefined);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** It asked for what there is in the process alone. In our words: what is thrown may be of its own making. */
function whyRefused(fault: unknown): string | undefined {
  if (!isRecord(fault)) return undefined;
  if (fault['code'] === onlyInProcess) return ownParts.find((one) => one === fault['what']);
  return fault['code'] === notNamed && /^[\w.-]{1,80}$/.test(String(fault['event'])) ? whyEvent(String(fault['event'])) : undefined;
}

/** What its functions would miss. */
function whyItem(point: string, item: unknown, members: ReadonlySet<string>): string | undefined {
  if (point === 'tool') return members.has('waiting') ? 'says what a turn waits for' : undefined;
  if (point !== 'route' && point !== 'reply_section') return undefined;
  const isPlain = !isRecord(item) || ['bodyKind', 'isRaw', 'mediaType'].every((key) => item[key] === undefined);
  if (!isPlain) return 'reads or answers a request otherwise than as JSON';
  return secrets.some((one) => members.has(one)) ? 'reads more of a request than a thread is given' : undefined;
}

/** What its settings are where nobody set any. */
function defaultsOf({ config }: PluginManifest): Readonly<Record<string, unknown>> {
  const properties: unknown = (config as { readonly properties?: unknown } | undefined)?.properties;
  if (!isRecord(properties)) return {};
  return Object.fromEntries(Object.entries(properties).flatMap(([key, one]) => (isRecord(one) && 'default' in one ? [[key, one['default']]] : [])));
}
