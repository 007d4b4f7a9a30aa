// Imports other agents' data: sessions as chats; MCP servers and rules through the routes that the user would use.
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '#lib/errors';
import { isThere } from '#lib/files';
import { redactSecrets } from '#lib/secrets';
import { recordIn } from '#lib/values';
import type { Chats, ImportedChat } from 'agent-harness/plugins/chats';
import type { Connection } from 'agent-harness/plugins/connections';
import type { DispatchReply, Http, Principal } from 'agent-harness/plugins/http';
import { createClaudeCode } from './claude-code/claude-code.ts';
import { createCodex } from './codex/codex.ts';
import type { ForeignAgent, ForeignPlaces, ForeignRules, ForeignServer, ForeignSession } from './foreign.ts';
import { createOpencode } from './opencode/opencode.ts';

export interface AgentImport {
  list(agent: AgentName): Promise<Listing>;
  /** Imports a session as a chat. Rejects with `not_found`, or if the selected folder cannot be used. Without a folder, the chat gets an empty one. */
  take(agent: AgentName, id: string, workspaceRoot?: string): Promise<ImportedChat & { readonly brokenLines: number; readonly isCut: boolean }>;
  /** Connects an MCP server. Rejects with `not_found`, and with the errors of the route. */
  connect(
    agent: AgentName,
    name: string,
    principal: Principal | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly name: string; readonly toolCount: number; readonly authorizeUrl?: string }>;
  takeRules(agent: AgentName, principal: Principal | undefined, signal: AbortSignal): Promise<{ taken: { path: string; became: string }[] }>;
}

export type AgentName = 'claude-code' | 'codex' | 'opencode';

interface Listing {
  readonly title: string;
  readonly sessions: (ForeignSession & { readonly chatId?: string; readonly isInTrash?: boolean })[];
  readonly servers: { name: string; command?: string; url?: string; variables: string[]; file: string; isHere: boolean }[];
  readonly rules: { path: string; scope: ForeignRules['scope']; characters: number; becomes: 'note' | 'AGENTS.md' | 'nothing' }[];
  readonly notes: string[];
}

export interface AgentImportParts {
  readonly chats: Chats;
  readonly http: Http;
  readonly places: ForeignPlaces;
  notFound(what: string, id: string): Error;
  /** Creates the error for a refusal by another route. */
  refused(code: string, message: string): Error;
}

/** Maximum number of recently used folders that are searched for rules. */
const mostFolders = 200;
/** Maximum length of a note, in characters. */
const longestNote = 18_000;

export function createAgentImport({ chats, http, places, ...parts }: AgentImportParts): AgentImport {
  const agents: Readonly<Record<AgentName, ForeignAgent>> = {
    'claude-code': createClaudeCode(places),
    codex: createCodex(places),
    opencode: createOpencode(places),
  };

  async function rulesOf(
    agent: ForeignAgent,
    sessions: readonly ForeignSession[],
  ): Promise<(ForeignRules & { becomes: Listing['rules'][number]['becomes'] })[]> {
    const folders = [...new Set(sessions.flatMap(({ folder }) => folder ?? []))].slice(0, mostFolders);
    const found = await agent.rules(folders);
    return Promise.all(
      found.map(async (one) => {
        if (one.scope === 'global') return { ...one, becomes: 'note' as const };
        return { ...one, becomes: (await isThere(join(dirname(one.path), 'AGENTS.md'))) ? ('nothing' as const) : ('AGENTS.md' as const) };
      }),
    );
  }

  async function ask(principal: Principal | undefined, request: Parameters<Http['dispatch']>[0]): Promise<Readonly<Record<string, unknown>>> {
    if (!principal) throw parts.refused('forbidden', 'The request has no principal.');
    const reply = await http.dispatch(request, { principal });
    return bodyOf(reply, parts);
  }

  return {
    async list(name) {
      const agent = agents[name];
      const [{ sessions, notes }, servers, known, rows] = await Promise.all([agent.list(), agent.servers(), chats.imported(name), connections()]);
      const newestFirst = sessions.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
      const here = new Set(rows.map((one) => one.name));
      return {
        title: agent.title,
        sessions: newestFirst.map((session) => ({ ...session, ...known.get(session.id) })),
        servers: servers.map((server) => shownServer(server, here.has(server.name))),
        rules: (await rulesOf(agent, newestFirst)).map(({ path, scope, text, becomes }) => ({ path, scope, characters: text.length, becomes })),
        notes: [...notes],
      };
    },
    async take(name, id, workspaceRoot) {
      const session = await agents[name].read(id);
      if (!session) throw parts.notFound('session', id);
      const { title, faults } = session;
      const workspace = workspaceRoot === undefined ? {} : { workspaceRoot };
      const chat = await chats.import({ source: { from: name, id }, title, ...workspace, tags: [name], parts: session.parts });
      // Skips a session that was imported before.
      if (!chat.isNew) await (session.parts as AsyncGenerator).return(undefined);
      return { ...chat, brokenLines: faults.broken, isCut: faults.isCut };
    },
    async connect(name, wanted, principal, signal) {
      const server = (await agents[name].servers()).find((one) => one.name === wanted);
      if (!server) throw parts.notFound('MCP server', wanted);
      const reply = await ask(principal, { method: 'POST', path: '/api/integrations/mcp', body: asGiven(server), signal });
      const authorizeUrl = reply['authorizeUrl'];
      return { name: wanted, toolCount: Number(reply['toolCount'] ?? 0), ...(typeof authorizeUrl === 'string' ? { authorizeUrl } : {}) };
    },
    async takeRules(name, principal, signal) {
      const agent = agents[name];
      const { sessions } = await agent.list();
      const taken: { path: string; became: string }[] = [];
      for (const { path, scope, text, becomes } of await rulesOf(agent, sessions)) {
        if (scope === 'global') {
          const pieces = piecesOf(text);
          for (const [index, value] of pieces.entries()) {
            const key = `rules of ${agent.title}${pieces.length === 1 ? '' : ` ${index + 1}`}`;
            await ask(principal, { method: 'POST', path: '/api/memory', body: { type: 'rule', key, value, scope: 'global' }, signal });
          }
          taken.push({ path, became: pieces.length === 1 ? 'a global note' : `${pieces.length} global notes` });
        } else if (becomes === 'AGENTS.md') taken.push({ path, became: await writeInstructions(dirname(path), text) });
        else taken.push({ path, became: 'nothing: its folder has an AGENTS.md, which is read already' });
      }
      return { taken };
    },
  };

  async function connections(): Promise<readonly Connection[]> {
    const reply = await http.dispatch({ method: 'GET', path: '/api/integrations' }, { principal: { kind: 'owner', id: 'import', role: 'owner' } });
    const found = recordIn(reply.body.toString('utf8'))['connections'];
    return Array.isArray(found) ? (found as Connection[]) : [];
  }
}

/** Writes the rules to `AGENTS.md` in the folder; never overwrites an existing file. */
async function writeInstructions(folder: string, text: string): Promise<string> {
  try {
    const file = await open(join(folder, 'AGENTS.md'), 'wx', 0o644);
    await file.writeFile(`${text}\n`).finally(() => file.close());
    return `${join(folder, 'AGENTS.md')}, used once you trust it (/trust)`;
  } catch (fault) {
    return hasCode(fault, 'EEXIST') ? 'nothing: its folder has an AGENTS.md' : `nothing: ${basename(folder)} cannot be written`;
  }
}

/** Describes a server. Redacts secrets, because a command line often contains keys. */
function shownServer({ name, command, args = [], env = {}, url, headers = {}, file }: ForeignServer, isHere: boolean): Listing['servers'][number] {
  const line = command === undefined ? {} : { command: redactSecrets([command, ...args].join(' ')) };
  const address = url === undefined ? {} : { url: redactSecrets(url) };
  return { name, ...line, ...address, variables: [...Object.keys(env), ...Object.keys(headers)], file, isHere };
}

/** Converts a server to the format of the route. The route accepts one header per address: the one that authenticates is used. */
function asGiven({ name, command, args, env, cwd, url, headers = {} }: ForeignServer): Readonly<Record<string, unknown>> {
  if (url === undefined) return { name, command, ...(args ? { args } : {}), ...(env ? { env } : {}), ...(cwd === undefined ? {} : { cwd }) };
  const pairs = Object.entries(headers);
  const [header, value] = pairs.find(([one]) => one.toLowerCase() === 'authorization') ?? pairs[0] ?? [];
  if (header === undefined || value === undefined) return { name, url };
  const token = header.toLowerCase() === 'authorization' ? /^Bearer\s+(.+)$/i.exec(value)?.[1] : undefined;
  return { name, url, auth: token === undefined ? { kind: 'header', name: header, value } : { kind: 'bearer', token } };
}

function bodyOf({ status, body }: DispatchReply, parts: Pick<AgentImportParts, 'refused'>): Readonly<Record<string, unknown>> {
  const value = recordIn(body.toString('utf8'));
  if (status < 300) return value;
  const error = (value['error'] ?? {}) as { readonly code?: string; readonly message?: string };
  throw parts.refused(error.code ?? `http_${status}`, error.message ?? `The server refused it with status ${status}.`);
}

/** Splits a text into notes, at headings if possible. */
function piecesOf(text: string): string[] {
  if (text.length <= longestNote) return [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longestNote) {
    const at = rest.lastIndexOf('\n#', longestNote);
    const end = at > longestNote / 4 ? at : longestNote;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end);
  }
  return [...pieces, rest.trim()].filter((piece) => piece !== '');
}
