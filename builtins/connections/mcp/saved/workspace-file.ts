// Parses and validates a workspace's `.mcp.json`, and describes it exactly for the user's trust decision.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '#lib/hash';
import { isRecord, jsonOf } from '#lib/values';
import type { TrustFinding } from 'agent-harness/plugins/trust';
import { findNamedFiles, type NamedFile } from './named-files.ts';
import { findFault, findHeaderFault, namePattern, normalizeHeaders, specOf, type GivenServer, type ServerSpec } from './server-spec.ts';

export interface WorkspaceFile extends TrustFinding {
  /** Servers with expanded variables. */
  readonly servers: ReadonlyMap<string, ServerSpec>;
  readonly files: readonly string[];
  /** Entries that are not used, with reasons. */
  readonly omitted: readonly OmittedServer[];
}

export interface OmittedServer {
  /** Name in the file. */
  readonly name: string;
  /** Reason as a sentence. */
  readonly why: string;
}

interface Described {
  readonly name: string;
  readonly spec: ServerSpec;
  /** Workspace files that the server would run. */
  readonly files: readonly NamedFile[];
}

export const subjectName = 'mcp-servers';
const fileName = '.mcp.json';
const largestFile = 256 * 1024;
const mostServers = 20;
const mostShown = 30;

/** Resolves with `undefined` for a missing or empty file. Never rejects. */
export async function readWorkspaceFile(workspaceRoot: string): Promise<WorkspaceFile | undefined> {
  const text = await readSmall(join(workspaceRoot, fileName));
  const { servers, omitted } = text === undefined ? { servers: [], omitted: [] } : serversOf(text, workspaceRoot);
  if (servers.length + omitted.length === 0) return undefined;
  const described: (Described & Pick<ReadServer, 'variables'>)[] = await Promise.all(
    servers.map(async ({ name, spec, shown, variables }) => {
      const files = spec.kind === 'command' ? await findNamedFiles(spec, workspaceRoot) : [];
      return { name, spec: shown, files, variables };
    }),
  );
  const left = omitted.map(({ name, why }) => `${quoteOdd(name)} is not used: ${why}`);
  return {
    servers: new Map(servers.map(({ name, spec }) => [name, spec])),
    files: [...new Set(described.flatMap(({ files }) => files.map(({ path }) => path)))],
    omitted,
    title: servers.length === 1 ? '1 MCP server' : `${servers.length} MCP servers`,
    detail: [...described.map(describe), ...left].join('\n'),
    digest: sha256(JSON.stringify(described.map(({ name, spec, files }): Described => ({ name, spec, files })))),
  };
}

/** Returns the content for the user's trust decision; `undefined` if no entry is usable. */
export async function findWorkspaceServers(workspaceRoot: string): Promise<TrustFinding | undefined> {
  const file = await readWorkspaceFile(workspaceRoot);
  return file && file.servers.size > 0 ? file : undefined;
}

/** Reads only a small regular file: no link and no named pipe, which could be endless. */
async function readSmall(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= largestFile ? await file.readFile('utf8') : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

interface ReadServer {
  readonly name: string;
  /** Specification with expanded variables. */
  readonly spec: ServerSpec;
  /** Specification as written in the file. */
  readonly shown: ServerSpec;
  /** Names of the variables whose values the server receives. */
  readonly variables: readonly string[];
}

/** Parses the servers and sorts them by name: the same servers always yield the same text. */
function serversOf(text: string, workspaceRoot: string): { readonly servers: readonly ReadServer[]; readonly omitted: readonly OmittedServer[] } {
  // Expands the variable with which a bundle refers to its own folder.
  const parsed = jsonOf(text.replaceAll('${CLAUDE_PLUGIN_ROOT}', JSON.stringify(workspaceRoot).slice(1, -1)));
  if (!isRecord(parsed)) return { servers: [], omitted: [{ name: fileName, why: 'the file is not a JSON object.' }] };
  const listed = isRecord(parsed['mcpServers']) ? parsed['mcpServers'] : {};
  const servers = new Map<string, ReadServer>();
  const omitted: OmittedServer[] = [];
  const names = Object.keys(listed).sort();
  // Names that need no conversion take precedence.
  for (const given of [...names.filter((one) => foldedName(one) === one), ...names.filter((one) => foldedName(one) !== one)]) {
    const name = foldedName(given);
    const why =
      !/^[@A-Za-z]/.test(given) || !new RegExp(namePattern).test(name)
        ? 'its name must begin with a letter.'
        : servers.has(name)
          ? `another entry also has the name ${name}.`
          : servers.size >= mostServers
            ? `only ${mostServers} servers are used.`
            : undefined;
    const read = why ?? readEntry(listed[given], workspaceRoot);
    if (typeof read === 'string') omitted.push({ name: given, why: read });
    else servers.set(name, { name, ...read });
  }
  return { servers: [...servers.values()].sort((one, other) => (one.name < other.name ? -1 : 1)), omitted };
}

/** Converts a name to a prefix of tool names: lower case, without special characters, at most 32 characters. */
const foldedName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32);

/** Returns a sentence for an invalid entry: an entry that is only partially understood must not start. */
function readEntry(entry: unknown, workspaceRoot: string): Omit<ReadServer, 'name'> | string {
  if (!isRecord(entry)) return 'it is not an object.';
  if (entry['disabled'] === true) return 'it is disabled.';
  const shown = specIn(entry, workspaceRoot);
  if (typeof shown === 'string') return shown;
  const names = variablesIn(JSON.stringify(entry));
  const own = names.find(({ name }) => productVariable.test(name));
  if (own) return `${own.name} is a variable of this program, which servers do not receive.`;
  const missing = names.filter(({ name, hasDefault }) => !hasDefault && process.env[name] === undefined);
  if (missing.length > 0) return `the variable ${missing.map(({ name }) => name).join(', ')} is not set in the environment of the server.`;
  const spec = names.length === 0 ? shown : specIn(expanded(entry) as typeof entry, workspaceRoot);
  return typeof spec === 'string' ? spec : { spec, shown, variables: names.map(({ name }) => name) };
}

const productVariable = /^(AGENT|HUB|APP)_/;
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

function variablesIn(text: string): { readonly name: string; readonly hasDefault: boolean }[] {
  const found = [...text.matchAll(variable)].map(([, name = '', value]) => ({ name, hasDefault: value !== undefined }));
  return found.filter(({ name }, index) => found.findIndex((one) => one.name === name) === index);
}

function expanded(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(variable, (_, name: string, usual: string | undefined) => process.env[name] ?? usual ?? '');
  if (Array.isArray(value)) return value.map(expanded);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expanded(one)])) : value;
}

function specIn(entry: Readonly<Record<string, unknown>>, workspaceRoot: string): ServerSpec | string {
  const { command, url } = entry;
  const [args, env, headers] = [textsIn(entry['args'] ?? []), textRecordIn(entry['env'] ?? {}), textRecordIn(entry['headers'] ?? {})];
  if (typeof args === 'string') return `args ${args}`;
  if (typeof env === 'string') return `env ${env}`;
  if (typeof headers === 'string') return `headers ${headers}`;
  const given: Omit<GivenServer, 'name'> = {
    ...(typeof command === 'string' ? { command, cwd: workspaceRoot, args, env: env.values } : {}),
    ...(typeof url === 'string' ? { url } : {}),
  };
  const fault = findFault(given);
  if (fault !== undefined) return fault;
  const spec = specOf(given);
  if (spec.kind !== 'url') return spec;
  const badHeader = Object.entries(headers.values)
    .map(([name, value]) => findHeaderFault(name, value))
    .find((why) => why !== undefined);
  return badHeader ?? { ...spec, headers: normalizeHeaders(headers.values) };
}

/** Describes every program and address. Values are quoted, so that no value can imitate other text. */
function describe({ name, spec, files, variables }: Described & Pick<ReadServer, 'variables'>): string {
  const taken = variables.length === 0 ? '' : `\n  with the values of ${variables.join(', ')} from the environment`;
  if (spec.kind === 'url') return `${name}: ${quote(spec.url)}${pairsOf('headers', spec.headers)}${taken}`;
  const words = [spec.command, ...spec.args].map(quoteOdd);
  const more = files.length > mostShown ? ` and ${files.length - mostShown} more` : '';
  const shown = files.slice(0, mostShown).map((file) => quoteOdd(file.shown));
  const covered = files.length === 0 ? '' : `\n  with the contents of ${shown.join(', ')}${more}`;
  return `${name}: ${words.join(' ')}${pairsOf('env', spec.env)}${covered}${taken}`;
}

function quoteOdd(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word);
}

/** Escapes hidden characters and those that change the text direction. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function pairsOf(label: string, values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${quote(value)}`);
  return pairs.length === 0 ? '' : ` (${label}: ${pairs.join(', ')})`;
}

const isPlain = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Converts numbers and booleans to text. Returns a problem as text. */
function textsIn(value: unknown): string[] | string {
  if (!Array.isArray(value)) return 'is not a list.';
  const bad = value.findIndex((one) => !isPlain(one));
  return bad === -1 ? value.map(String) : `has an item at ${bad + 1} that is not a text.`;
}

function textRecordIn(value: unknown): { readonly values: Record<string, string> } | string {
  if (!isRecord(value)) return 'is not an object.';
  const bad = Object.keys(value).find((name) => !isPlain(value[name]));
  return bad === undefined
    ? { values: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)])) }
    : `has a value at ${quoteOdd(bad)} that is not a text.`;
}
