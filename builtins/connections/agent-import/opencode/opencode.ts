// Reads the data of opencode: sessions in `opencode.db` (since 1.2) or in files under `storage`, `AGENTS.md`, and the servers in `opencode.json`.
import { isAbsolute, join } from 'node:path';
import { isRecord, jsonOf } from '#lib/values';
import { openPlain, readText } from '../bounded-files.ts';
import type { ForeignAgent, ForeignPlaces, ForeignServer, ForeignSession, ReadFaults } from '../foreign.ts';
import { namedServers } from '../mcp-servers.ts';
import { isTextRecord, recordOf, textIn, textList, timeOf, titleOf, type Fields } from '../texts.ts';
import { openDatabase } from './database.ts';
import { createFileStore } from './file-store.ts';
import { partsOfMessage } from './parts-of-message.ts';
import type { SessionStore } from './session-store.ts';

const configNames = ['opencode.json', 'opencode.jsonc', 'config.json'];

export function createOpencode({ home, environment }: ForeignPlaces): ForeignAgent {
  const root = join(environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'opencode');
  const configRoot = join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');

  /** Returns both stores if both exist, because some sessions may not have been moved to the database. */
  async function stores(): Promise<{ readonly open: readonly SessionStore[]; readonly notes: readonly string[] }> {
    const files = createFileStore(join(root, 'storage'));
    const path = join(root, 'opencode.db');
    const found = await openPlain(path);
    await found?.file.close();
    if (!found) return { open: [files], notes: [] };
    const database = await openDatabase(path);
    return typeof database === 'string' ? { open: [files], notes: [database] } : { open: [database, files], notes: [] };
  }

  async function find(): Promise<{
    readonly known: Map<string, { readonly session: ForeignSession; readonly store: SessionStore }>;
    readonly notes: string[];
    end(): void;
  }> {
    const { open, notes } = await stores();
    const known = new Map<string, { session: ForeignSession; store: SessionStore }>();
    let tasks = 0;
    for (const store of open) {
      for (const fields of await store.sessions()) {
        const session = sessionOf(fields);
        if (!session || known.has(session.id)) continue;
        if (textIn(fields, 'parentID') === undefined) known.set(session.id, { session, store });
        else tasks++;
      }
    }
    const more = tasks === 0 ? [] : [tasks === 1 ? '1 session of a subagent is left out.' : `${tasks} sessions of subagents are left out.`];
    return { known, notes: [...notes, ...more], end: () => open.forEach((store) => store.close()) };
  }

  async function servers(): Promise<ForeignServer[]> {
    for (const name of configNames) {
      const file = join(configRoot, name);
      const text = await readText(file);
      if (text === undefined) continue;
      const config = recordOf(await readJsonc(text));
      const entries = Object.entries(recordOf(config['mcp'])).map(([key, entry]): [string, Fields] => [key, asUsual(recordOf(entry))]);
      return namedServers(Object.fromEntries(entries), file);
    }
    return [];
  }

  return {
    name: 'opencode',
    title: 'opencode',
    async list() {
      const { known, notes, end } = await find();
      end();
      return { sessions: [...known.values()].map(({ session }) => session), notes };
    },
    async read(id) {
      const { known, end } = await find();
      const found = known.get(id);
      if (!found) return void end();
      const faults: ReadFaults = { broken: 0, isCut: false };
      async function* parts() {
        try {
          for await (const { message, parts: own } of found?.store.messages(id, faults) ?? []) yield* partsOfMessage(message, own);
        } finally {
          end();
        }
      }
      return { ...found.session, parts: parts(), faults };
    },
    servers,
    async rules() {
      const path = join(configRoot, 'AGENTS.md');
      const text = (await readText(path))?.trim();
      return text === undefined || text === '' ? [] : [{ path, scope: 'global', text }];
    },
  };
}

function sessionOf(fields: Fields): ForeignSession | undefined {
  const id = textIn(fields, 'id');
  const updatedAt = timeOf(recordOf(fields['time'])['updated']) ?? timeOf(recordOf(fields['time'])['created']);
  if (id === undefined || !/^[\w-]{1,100}$/.test(id) || updatedAt === undefined) return undefined;
  const folder = textIn(fields, 'directory');
  return { id, title: titleOf(textIn(fields, 'title') ?? id), updatedAt, bytes: 0, ...(folder !== undefined && isAbsolute(folder) ? { folder } : {}) };
}

/** Splits the combined list of command and arguments that `local` servers have. */
function asUsual(entry: Fields): Fields {
  const [command, ...args] = textList(entry['command']);
  const { environment: env } = entry;
  return { ...entry, ...(command === undefined ? { command: undefined } : { command, args }), ...(isTextRecord(env) ? { env } : {}) };
}

/** Parses JSON with comments and trailing commas. */
async function readJsonc(text: string): Promise<unknown> {
  const plain = jsonOf(text);
  if (isRecord(plain)) return plain;
  const { jsonrepair } = await import('jsonrepair');
  try {
    return jsonOf(jsonrepair(text));
  } catch {
    return undefined;
  }
}
