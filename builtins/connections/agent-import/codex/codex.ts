// Reads the data of Codex: `sessions/**/rollout-*.jsonl` (also compressed as `.jsonl.zst`, and archived), `AGENTS.md`, and the servers in `config.toml`.
import { isAbsolute, join } from 'node:path';
import { isRecord, recordIn } from '#lib/values';
import type { ImportedPart } from 'agent-harness/plugins/chats';
import { linesOf, listFolder, readHead, readText, type FoundFile } from '../bounded-files.ts';
import type { ForeignAgent, ForeignPlaces, ForeignServer, ForeignSession, ReadFaults } from '../foreign.ts';
import { namedServers } from '../mcp-servers.ts';
import { isTextRecord, recordOf, textIn, titleOf, type Fields } from '../texts.ts';
import { createRolloutReader, saidBy } from './read-rollout.ts';

const headBytes = 256 * 1024;
const deepest = 4;
const rolloutName = /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(\.zst)?$/;

type Rollout = FoundFile & { readonly id: string };

export function createCodex({ home, environment }: ForeignPlaces): ForeignAgent {
  const root = environment['CODEX_HOME'] ?? join(home, '.codex');

  /** Returns the sessions, deduplicated by id: a session may briefly exist both compressed and uncompressed. */
  async function files(): Promise<Rollout[]> {
    const found = new Map<string, Rollout>();
    const look = async (folder: string, depth: number): Promise<void> => {
      const { files: here, folders } = await listFolder(folder);
      for (const file of here) {
        const id = rolloutName.exec(file.name)?.[1];
        if (id !== undefined && (!found.has(id) || !file.name.endsWith('.zst'))) found.set(id, { ...file, id });
      }
      if (depth < deepest) for (const { path } of folders) await look(path, depth + 1);
    };
    await look(join(root, 'sessions'), 1);
    await look(join(root, 'archived_sessions'), 1);
    return [...found.values()];
  }

  async function describe({ path, id }: Rollout): Promise<ForeignSession | 'subagent' | undefined> {
    const head = await readHead(path, headBytes);
    if (!head) return undefined;
    const lines = head.lines.map(recordIn);
    const meta = lines.map(metaIn).find((one) => one !== undefined) ?? {};
    if (isRecord(meta['source']) && 'subagent' in meta['source']) return 'subagent';
    const folder = textIn(meta, 'cwd');
    const said = lines.map(saidBy).find((text) => text !== undefined);
    if (said === undefined && head.bytes < headBytes) return undefined;
    return {
      ...{ id, title: titleOf(said ?? '') || id, updatedAt: head.changedAt.toISOString(), bytes: head.bytes },
      ...(folder !== undefined && isAbsolute(folder) ? { folder } : {}),
    };
  }

  async function servers(): Promise<ForeignServer[]> {
    const file = join(root, 'config.toml');
    const text = await readText(file);
    if (text === undefined) return [];
    const { parse } = await import('smol-toml');
    const entries = Object.entries(recordOf(recordOf(parse(text))['mcp_servers']));
    return namedServers(Object.fromEntries(entries.map(([name, entry]) => [name, withHeaders(recordOf(entry), environment)])), file);
  }

  return {
    name: 'codex',
    title: 'Codex',
    async list() {
      const described = await Promise.all((await files()).map(describe));
      const tasks = described.filter((one) => one === 'subagent').length;
      return {
        sessions: described.filter((one) => one !== undefined && one !== 'subagent'),
        notes: tasks === 0 ? [] : [tasks === 1 ? '1 session of a subagent is left out.' : `${tasks} sessions of subagents are left out.`],
      };
    },
    async read(id) {
      const file = (await files()).find((one) => one.id === id);
      const session = file && (await describe(file));
      if (!session || session === 'subagent') return undefined;
      const faults: ReadFaults = { broken: 0, isCut: false };
      return { ...session, parts: readParts(file.path, faults), faults };
    },
    servers,
    async rules() {
      const path = join(root, 'AGENTS.md');
      const text = (await readText(path))?.trim();
      return text === undefined || text === '' ? [] : [{ path, scope: 'global', text }];
    },
  };
}

/** Returns the metadata in a line; in files of early versions, the first line itself is the metadata. */
function metaIn(line: Fields): Fields | undefined {
  if (line['type'] === 'session_meta') return recordOf(line['payload']);
  return line['type'] === undefined && typeof line['id'] === 'string' && typeof line['timestamp'] === 'string' ? line : undefined;
}

function withHeaders(entry: Fields, environment: ForeignPlaces['environment']): Fields {
  const { http_headers: given, env_http_headers: fromVariables, bearer_token_env_var: tokenVariable } = entry;
  const token = typeof tokenVariable === 'string' ? environment[tokenVariable] : undefined;
  const named = Object.entries(isTextRecord(fromVariables) ? fromVariables : {}).flatMap(([name, variable]) => {
    const value = environment[variable];
    return value === undefined ? [] : [[name, value] as const];
  });
  const headers = { ...(isTextRecord(given) ? given : {}), ...Object.fromEntries(named), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  return Object.keys(headers).length === 0 ? entry : { ...entry, headers };
}

async function* readParts(path: string, faults: ReadFaults): AsyncGenerator<ImportedPart, void, undefined> {
  const reader = createRolloutReader();
  for await (const text of linesOf(path, faults)) {
    const line = recordIn(text);
    if (Object.keys(line).length === 0) faults.broken++;
    else yield* reader.take(line);
  }
}
