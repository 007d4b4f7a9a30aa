// `.mcp.json` of a workspace: read, checked, and told exactly, so that a person can trust it.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from 'agent-harness/lib/hash';
import { isRecord, recordIn } from 'agent-harness/lib/values';
import type { TrustFinding } from 'agent-harness/plugins/trust';
import { findNamedFiles, type NamedFile } from './named-files.ts';
import { findFault, findHeaderFault, namePattern, normalizeHeaders, specOf, type GivenServer, type ServerSpec } from './server-spec.ts';

export interface WorkspaceFile extends TrustFinding {
  readonly servers: ReadonlyMap<string, ServerSpec>;
  readonly files: readonly string[];
}

interface Described {
  readonly name: string;
  readonly spec: ServerSpec;
  /** What it would run from the workspace. */
  readonly files: readonly NamedFile[];
}

export const subjectName = 'mcp-servers';
const fileName = '.mcp.json';
const largestFile = 256 * 1024;
const mostServers = 20;
const mostShown = 30;

/** `undefined` where there is none, or nothing in it can be used. Rejects never. */
export async function readWorkspaceFile(workspaceRoot: string): Promise<WorkspaceFile | undefined> {
  const text = await readSmall(join(workspaceRoot, fileName));
  const servers = text === undefined ? [] : serversOf(text, workspaceRoot);
  if (servers.length === 0) return undefined;
  const described: Described[] = await Promise.all(
    servers.map(async ([name, spec]) => ({ name, spec, files: spec.kind === 'command' ? await findNamedFiles(spec, workspaceRoot) : [] })),
  );
  return {
    servers: new Map(servers),
    files: [...new Set(described.flatMap(({ files }) => files.map(({ path }) => path)))],
    title: servers.length === 1 ? '1 MCP server' : `${servers.length} MCP servers`,
    detail: described.map(describe).join('\n'),
    digest: sha256(JSON.stringify(described)),
  };
}

/** Not what a link leads to, not a pipe that never ends. */
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

/** Sorted by name, so that the same servers are the same text. */
function serversOf(text: string, workspaceRoot: string): [string, ServerSpec][] {
  // How a bundle names its own folder.
  const named = recordIn(text.replaceAll('${CLAUDE_PLUGIN_ROOT}', JSON.stringify(workspaceRoot).slice(1, -1)))['mcpServers'];
  const listed = isRecord(named) ? named : {};
  const names = Object.keys(listed).filter((name) => new RegExp(namePattern).test(name));
  return names
    .sort()
    .slice(0, mostServers)
    .flatMap((name) => {
      const spec = specIn(listed[name], workspaceRoot);
      return spec ? [[name, spec] as [string, ServerSpec]] : [];
    });
}

function specIn(entry: unknown, workspaceRoot: string): ServerSpec | undefined {
  if (!isRecord(entry)) return undefined;
  const { command, args, env, url, headers } = entry;
  const given: Omit<GivenServer, 'name'> = {
    ...(typeof command === 'string' ? { command, cwd: workspaceRoot } : {}),
    ...(typeof command === 'string' && isTexts(args) ? { args } : {}),
    ...(typeof command === 'string' && isTextRecord(env) ? { env } : {}),
    ...(typeof url === 'string' ? { url } : {}),
  };
  if (findFault(given) !== undefined) return undefined;
  const spec = specOf(given);
  if (spec.kind !== 'url' || !isTextRecord(headers)) return spec;
  if (Object.entries(headers).some(([name, value]) => findHeaderFault(name, value) !== undefined)) return undefined;
  return { ...spec, headers: normalizeHeaders(headers) };
}

/** The whole of what is run or reached: quoted, so that nothing in it can look like something else. */
function describe({ name, spec, files }: Described): string {
  if (spec.kind === 'url') return `${name}: ${quote(spec.url)}${pairsOf('headers', spec.headers)}`;
  const words = [spec.command, ...spec.args].map(quoteOdd);
  const more = files.length > mostShown ? ` and ${files.length - mostShown} more` : '';
  const shown = files.slice(0, mostShown).map((file) => quoteOdd(file.shown));
  const covered = files.length === 0 ? '' : `\n  with what is in ${shown.join(', ')}${more}`;
  return `${name}: ${words.join(' ')}${pairsOf('env', spec.env)}${covered}`;
}

function quoteOdd(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word);
}

/** Nothing that hides, and nothing that changes the direction of the line. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function pairsOf(label: string, values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${quote(value)}`);
  return pairs.length === 0 ? '' : ` (${label}: ${pairs.join(', ')})`;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}
