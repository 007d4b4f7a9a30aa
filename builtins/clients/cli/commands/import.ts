// Implements `import`: lists conversations of other agents on this machine, and imports them.
import { countWithNoun, oneLine } from '#lib/text';
import type { CliInput } from '../cli-parts.ts';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { readAnswer } from '../answer.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { makeSafe } from '#lib/terminal';
import { alignColumns } from '../table.ts';

interface Session {
  readonly id: string;
  readonly title: string;
  readonly folder?: string;
  readonly updatedAt: string;
  readonly bytes: number;
  readonly chatId?: string;
  readonly isInTrash?: boolean;
}

interface Server {
  readonly name: string;
  readonly command?: string;
  readonly url?: string;
  readonly variables: readonly string[];
  readonly isHere: boolean;
}

interface Listing {
  readonly title: string;
  readonly sessions: readonly Session[];
  readonly servers: readonly Server[];
  readonly rules: readonly { readonly path: string; readonly scope: string; readonly becomes: string }[];
  readonly notes: readonly string[];
}

interface Taken {
  readonly id: string;
  readonly chatId?: string;
  readonly isNew?: boolean;
  readonly isInTrash?: boolean;
  readonly turns?: number;
  readonly brokenLines?: number;
  readonly isCut?: boolean;
  readonly error?: string;
}

export const agents = ['claude-code', 'codex', 'opencode'] as const;

export const importFrom: RunCommand = async (parts, { positionals, options: given, lists, signal }, output) => {
  const [agent, ...more] = positionals;
  if (agent === undefined || more.length > 0 || !(agents as readonly string[]).includes(agent))
    return refuseUse(output, `'import' needs one of ${agents.join(', ')}.`);
  const options: Wishes = { ...given, sessions: lists?.['session'] ?? [] };
  const why = whyNot(options);
  if (why !== undefined) return refuseUse(output, why);
  return withServer(parts, signal, async (client) => {
    const base = `/api/import/${agent}`;
    const listing = await client.call<Listing>('GET', base);
    const wanted = chosen(listing, options);
    if (typeof wanted === 'string') return refuseUse(output, wanted);
    const server = typeof options['server'] === 'string' ? options['server'] : undefined;
    if (options['dry-run'] === true || (wanted.length === 0 && server === undefined && options['rules'] !== true && !asksForSessions(options)))
      return show(listing, options['dry-run'] === true ? wanted : listing.sessions, options, output);
    const taken = await takeAll(client, base, wanted, options, options['json'] === true ? undefined : output);
    const rules = options['rules'] === true ? (await client.call<{ taken: { path: string; became: string }[] }>('POST', `${base}/rules`)).taken : undefined;
    const connected = server === undefined ? undefined : await connect(client, base, listing, server, options, output);
    if (options['json'] === true)
      output.out(`${JSON.stringify({ sessions: taken, ...(rules ? { rules } : {}), ...(connected ? { server: connected } : {}) }, undefined, 2)}\n`);
    else printImported(taken, rules, asksForSessions(options), output);
    const isBad = taken.some(({ error }) => error !== undefined) || connected === 'failed';
    return connected === 'unanswered' ? exitCodes.unanswered : isBad ? exitCodes.failed : exitCodes.done;
  });
};

/** Options of the command, including the requested sessions. */
interface Wishes {
  readonly [name: string]: CliInput['options'][string] | readonly string[];
  readonly sessions: readonly string[];
}

function asksForSessions(options: Wishes): boolean {
  return options['all'] === true || options.sessions.length > 0 || options['since'] !== undefined;
}

function whyNot(options: Wishes): string | undefined {
  const { since } = options;
  if (options.sessions.length > 0 && options['all'] === true) return '--session and --all cannot be combined.';
  if (since !== undefined && (typeof since !== 'string' || Number.isNaN(Date.parse(since)))) return '--since needs a day, such as 2026-11-01.';
  return undefined;
}

/** Returns the chosen sessions, or an error sentence if a requested session does not exist. */
function chosen({ sessions, title }: Listing, options: Wishes): readonly Session[] | string {
  const named = options.sessions;
  const since = typeof options['since'] === 'string' ? new Date(options['since']).toISOString() : '';
  if (named.length > 0) {
    const found = named.map((id) => sessions.filter((one) => one.id === id || (id.length >= 4 && one.id.startsWith(id))));
    const lost = named.find((_, at) => found[at]?.length !== 1);
    return lost === undefined ? found.flat() : `${title} has no session '${oneLine(lost, 60)}' here, or several whose ids begin with it.`;
  }
  return options['all'] === true || since !== '' ? sessions.filter(({ updatedAt }) => updatedAt >= since) : [];
}

/** Imports sessions one after the other. Imported sessions remain after an interruption. */
async function takeAll(client: Client, base: string, wanted: readonly Session[], options: Wishes, output: CliOutput | undefined): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const session of wanted) {
    const known = session.chatId === undefined ? undefined : { chatId: session.chatId, isNew: false, isInTrash: session.isInTrash === true, turns: 0 };
    const reply = known ?? (await takeOne(client, base, session, options['in-folders'] === true));
    taken.push({ id: session.id, ...reply });
    output?.out(`${lineOf(session, reply)}\n`);
  }
  return taken;
}

async function takeOne(client: Client, base: string, { id, folder }: Session, isInFolder: boolean): Promise<Omit<Taken, 'id'>> {
  try {
    return await client.call<Omit<Taken, 'id'>>('POST', `${base}/sessions/${encodeURIComponent(id)}`, isInFolder ? { workspaceRoot: folder } : {});
  } catch (fault) {
    // An unreadable session does not stop the import of the others.
    if (fault instanceof Error && 'status' in fault) return { error: fault.message };
    throw fault;
  }
}

function lineOf(session: Session, { chatId = '', isNew, isInTrash, turns = 0, brokenLines = 0, isCut, error }: Omit<Taken, 'id'>): string {
  const title = oneLine(makeSafe(session.title), 60);
  if (error !== undefined) return `✗ ${title}: ${oneLine(makeSafe(error), 200)}`;
  if (isNew !== true)
    return `= ${title}: ${isInTrash === true ? `imported before and in the trash (chats restore ${chatId})` : `imported before as ${chatId}`}`;
  const faults = [
    ...(brokenLines === 0 ? [] : [`${countWithNoun(brokenLines, 'line')} could not be read`]),
    ...(isCut === true ? ['it is too long; its end is omitted'] : []),
  ];
  return `✓ ${title}: ${chatId}, ${countWithNoun(turns, 'turn')}${faults.length === 0 ? '' : ` (${faults.join('; ')})`}`;
}

function printImported(taken: readonly Taken[], rules: readonly { path: string; became: string }[] | undefined, asked: boolean, output: CliOutput): void {
  for (const { path, became } of rules ?? []) output.out(`${makeSafe(path)} became ${makeSafe(became)}.\n`);
  if (rules?.length === 0) output.out('There are no rules to import.\n');
  if (!asked) return;
  const fresh = taken.filter(({ isNew }) => isNew === true).length;
  const known = taken.filter(({ isNew, error }) => isNew === false && error === undefined).length;
  output.out(`${countWithNoun(fresh, 'session')} imported${known === 0 ? '' : `; ${countWithNoun(known, 'was', 'were')} imported before`}.\n`);
}

/** Starts a third-party program after showing its command and asking the user for confirmation. */
async function connect(
  client: Client,
  base: string,
  { servers }: Listing,
  name: string,
  options: Wishes,
  output: CliOutput,
): Promise<'failed' | 'unanswered' | 'kept out' | { name: string; toolCount: number }> {
  const server = servers.find((one) => one.name === name);
  if (!server) {
    output.err(`There is no MCP server '${oneLine(name, 60)}' to connect.\n`);
    return 'failed';
  }
  if (options['yes'] !== true) {
    if (output.isInputTerminal !== true) {
      output.err('Nothing was connected: there is no terminal for the confirmation. Use --yes.\n');
      return 'unanswered';
    }
    output.out(`Connect ${describeServer(server)}? Each call of its tools needs approval. [y/N] `);
    if (!/^y(es)?$/i.test((await readAnswer(output)).trim())) return 'kept out';
  }
  try {
    const reply = await client.call<{ name: string; toolCount: number; authorizeUrl?: string }>('POST', `${base}/servers/${encodeURIComponent(name)}`);
    if (options['json'] !== true) {
      output.out(`${name} is connected, with ${countWithNoun(reply.toolCount, 'tool')}. Its secrets are stored encrypted.\n`);
      if (reply.authorizeUrl !== undefined) output.out(`Sign in at ${makeSafe(reply.authorizeUrl)}\n`);
    }
    return reply;
  } catch (fault) {
    if (!(fault instanceof Error && 'status' in fault)) throw fault;
    output.err(`${makeSafe(fault.message)}\n`);
    return 'failed';
  }
}

function describeServer({ name, command, url = '', variables }: Server): string {
  const given = variables.length === 0 ? '' : ` (with ${variables.map((one) => oneLine(one, 60)).join(', ')})`;
  return `${name}: ${oneLine(makeSafe(command ?? url), 200)}${given}`;
}

function show({ title, servers, rules, notes }: Listing, sessions: readonly Session[], options: Wishes, output: CliOutput): number {
  if (options['json'] === true) {
    output.out(`${JSON.stringify({ title, sessions, servers, rules, notes }, undefined, 2)}\n`);
    return exitCodes.done;
  }
  output.out(`${options['dry-run'] === true ? `These sessions of ${title} would be imported` : `Sessions of ${title} on this machine`}: ${sessions.length}\n`);
  output.out(
    alignColumns(
      sessions.map(({ id, updatedAt, folder = '', title: name, chatId, bytes }) => [
        chatId === undefined ? ' ' : '=',
        id,
        updatedAt.slice(0, 16).replace('T', ' '),
        bytes === 0 ? '' : `${Math.max(1, Math.round(bytes / 1024))} kB`,
        oneLine(makeSafe(folder), 50),
        oneLine(makeSafe(name), 60),
      ]),
    ),
  );
  if (sessions.some(({ chatId }) => chatId !== undefined)) output.out('= was imported before.\n');
  if (options['dry-run'] === true) return exitCodes.done;
  for (const server of servers)
    output.out(`\nMCP server ${describeServer(server)}${server.isHere ? ' – a connection of this name exists' : ` – --server ${server.name} connects it`}`);
  for (const { path, becomes } of rules)
    output.out(
      `\nRules ${makeSafe(path)}${becomes === 'nothing' ? ' – its folder has an AGENTS.md, which is read already' : ` – --rules imports it as ${becomes === 'note' ? 'a note' : 'an AGENTS.md'}`}`,
    );
  if (servers.length + rules.length > 0) output.out('\n');
  for (const note of notes) output.out(`\n${makeSafe(note)}\n`);
  if (sessions.some(({ chatId }) => chatId === undefined))
    output.out('\n--all imports all sessions, --session ID one, --since DAY those since then; --dry-run lists them.\n');
  return exitCodes.done;
}
