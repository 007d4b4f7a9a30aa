// Parses the capabilities of an isolated plugin from its manifest, describes them for the user, and finds those that are not approved.
import { homedir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import type { PluginManifest } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import { describeHook, describeService, refuseUnlisted } from './allowed-api.ts';

export interface Capabilities {
  /** Hosts that `fetch` may connect to: `api.example.org`, `api.example.org:8443` or `*.example.org`. */
  readonly hosts: readonly string[];
  /** Absolute paths of readable files and folders, in addition to the plugin's own folder and data. */
  readonly read: readonly string[];
  /** Absolute paths of readable and writable files and folders. */
  readonly write: readonly string[];
  /** Maximum size of the old generation of the plugin's heap, in MB. */
  readonly memoryMb: number;
  /** Maximum CPU time without interruption, in milliseconds. */
  readonly timeMs: number;
  /** Names of hooks that the plugin may tap. */
  readonly hooks: readonly string[];
  /** Names of events that the plugin receives in addition to its own. */
  readonly events: readonly string[];
  /** Names of server services whose methods the plugin may call. */
  readonly services: readonly string[];
}

/** Minimum, default and maximum of the memory limit, in MB. */
export const memoryRange = { least: 32, usual: 128, most: 1_024 } as const;
const ranges = { memoryMb: memoryRange, timeMs: { least: 100, usual: 2_000, most: 60_000 } } as const;

const lists = ['hosts', 'read', 'write', 'hooks', 'events'] as const;
const mostEntries = 50;

/** Parses `manifest.capabilities`. Throws an error that names the invalid entry. @param home path that replaces `~` */
export function readCapabilities({ capabilities = {}, requires = [], optional = [] }: PluginManifest, home = homedir()): Capabilities {
  const known = new Set<string>([...lists, ...Object.keys(ranges)]);
  if (!isRecord(capabilities)) throw new Error('manifest.capabilities must be an object.');
  const unknown = Object.keys(capabilities).find((key) => !known.has(key));
  if (unknown !== undefined) throw new Error(`manifest.capabilities.${unknown} is unknown. Known capabilities: ${[...known].join(', ')}.`);
  const paths = (key: 'read' | 'write'): string[] => textsIn(capabilities, key).map((path) => absolute(path, key, home));
  return {
    hosts: textsIn(capabilities, 'hosts').map(checkedHost),
    ...{ read: paths('read'), write: paths('write') },
    ...{ hooks: textsIn(capabilities, 'hooks'), events: textsIn(capabilities, 'events') },
    ...{ memoryMb: numberIn(capabilities, 'memoryMb'), timeMs: numberIn(capabilities, 'timeMs') },
    services: [...requires, ...optional] as string[],
  };
}

/** Returns the sentences that the user approves; an empty list if the plugin requests nothing. */
export function describeCapabilities({ hosts, read, write, hooks, events, services, memoryMb, timeMs }: Capabilities): string[] {
  return [
    ...hosts.map((host) => `It connects to ${host}.`),
    ...read.map((path) => `It reads ${path}.`),
    ...write.map((path) => `It reads and changes ${path}.`),
    ...hooks.map(describeHook),
    ...events.map((event) => `It receives the event '${event}'.`),
    ...services.map(describeService),
    ...(memoryMb > memoryRange.usual ? [`It uses up to ${memoryMb} MB of memory.`] : []),
    ...(timeMs > ranges.timeMs.usual ? [`It computes for up to ${timeMs / 1_000} s without interruption.`] : []),
  ];
}

/** Returns the descriptions of capabilities in `now` that `agreed` lacks. Compares the capabilities, not their descriptions. */
export function grown(agreed: Capabilities | undefined, now: Capabilities): string[] {
  const added = Object.fromEntries([...lists, 'services' as const].map((key) => [key, now[key].filter((one) => !agreed?.[key].includes(one))]));
  const beyond = (key: keyof typeof ranges): number => (now[key] > (agreed?.[key] ?? ranges[key].usual) ? now[key] : ranges[key].usual);
  return describeCapabilities({ ...now, ...added, memoryMb: beyond('memoryMb'), timeMs: beyond('timeMs') });
}

/** Returns whether an address matches the hosts of the manifest. */
export function reaches({ hosts }: Pick<Capabilities, 'hosts'>, { protocol, hostname, port }: URL): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const own = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return hosts.some((host) => {
    const [, name = '', wanted = protocol === 'https:' ? '443' : '80'] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
    if (wanted !== own) return false;
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
  });
}

/** Throws for a hook that is not in the manifest. @param use what the plugin does that needs the hook */
export function refuseHook(plugin: string, { hooks }: Pick<Capabilities, 'hooks'>, hook: string, use = `taps '${hook}'`): void {
  if (!hooks.includes(hook)) throw new Error(`'${plugin}' ${use}. List the hook in capabilities.hooks of its manifest.`);
}

/** Throws for an event that is neither in `events` nor in `capabilities.events` of the manifest. */
export function refuseEvent(plugin: string, event: string, { events = [], capabilities }: Pick<PluginManifest, 'events' | 'capabilities'>): void {
  const named: unknown = isRecord(capabilities) ? capabilities['events'] : undefined;
  if ((events as readonly string[]).includes(event) || (Array.isArray(named) && named.includes(event))) return;
  throw new Error(`'${plugin}' listens to '${event}'. List the event in capabilities.events of its manifest.`);
}

/**
 * Throws an error with a remedy for a hook, service or variable that no isolated plugin may use, regardless of approvals. Variables, `.env` and saved settings
 * contain third-party credentials, so a plugin may read only settings whose names start with its own name.
 * @param others names of the server's plugins, whose variables the plugin may not read
 */
export function refuseForeign(
  { name, config }: PluginManifest,
  { hooks, services }: Pick<Capabilities, 'hooks' | 'services'>,
  others: readonly string[] = [],
): void {
  refuseUnlisted(hooks, services);
  const prefixOf = (plugin: string): string => `APP_PLUGIN_${plugin.toUpperCase().replaceAll('-', '_')}_`;
  const prefix = prefixOf(name);
  // For example, the prefix of `mail-box` starts with the prefix of `mail`.
  const longer = others.map(prefixOf).filter((other) => other !== prefix && other.startsWith(prefix));
  const properties = isRecord(config) && isRecord(config['properties']) ? config['properties'] : {};
  for (const [key, property] of Object.entries(properties)) {
    const variable: unknown = isRecord(property) ? property['env'] : undefined;
    const named = typeof variable === 'string' ? variable : '?';
    if (variable === undefined || (named.startsWith(prefix) && !longer.some((other) => named.startsWith(other)))) continue;
    throw new Error(
      `its setting '${key}' reads the variable '${named}'. An isolated plugin may read only variables that start with '${prefix}'. Rename the variable in the manifest.`,
    );
  }
}

function textsIn(capabilities: Readonly<Record<string, unknown>>, key: (typeof lists)[number]): string[] {
  const list = capabilities[key] ?? [];
  const isList = Array.isArray(list) && list.length <= mostEntries && list.every((one) => typeof one === 'string' && one !== '' && one.length <= 1_000);
  if (!isList) throw new Error(`manifest.capabilities.${key} must be a list of up to ${mostEntries} texts.`);
  return list as string[];
}

/** Checks a host. A wildcard covers whole labels below a name of at least two labels, so that no entry covers the whole network. */
function checkedHost(host: string): string {
  if (!/^(?:\*\.(?:[a-z\d-]+\.)+[a-z\d-]+|[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(host)) {
    throw new Error(`manifest.capabilities.hosts has '${host}'. Write a host as api.example.org, api.example.org:8443 or *.example.org.`);
  }
  return host;
}

function absolute(path: string, key: string, home: string): string {
  const full = path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
  // Node's permission model treats an asterisk as a wildcard.
  if (/[*\p{Cc}]/u.test(full)) throw new Error(`manifest.capabilities.${key} has '${path}'. A path must not contain '*' or control characters.`);
  if (!isAbsolute(full)) throw new Error(`manifest.capabilities.${key} has '${path}'. Start the path with / or ~/.`);
  return normalize(full).replace(/(?<=.)\/$/, '');
}

function numberIn(capabilities: Readonly<Record<string, unknown>>, key: keyof typeof ranges): number {
  const { least, usual, most } = ranges[key];
  const value = capabilities[key] ?? usual;
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw new Error(`manifest.capabilities.${key} must be a whole number from ${least} to ${most}.`);
}

/** Parses approved capabilities in a reply or a file; returns `undefined` for invalid data. */
export function capabilitiesIn(value: unknown): Capabilities | undefined {
  if (!isRecord(value)) return undefined;
  const { services, ...declared } = value;
  try {
    if (!Array.isArray(services)) return undefined;
    return readCapabilities({ name: 'kept', capabilities: declared, requires: services as never });
  } catch {
    return undefined;
  }
}
