// Implements `chats`: lists chats, or shows one.
import { makeSafe } from '#lib/terminal';
import { countWithNoun, oneLine } from '#lib/text';
import type { ChatMeta, TranscriptPage } from 'agent-harness/plugins/chats';
import { callText, decisionText, isUnlisted, type Entry } from 'agent-harness/transcript';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseAction, refuseUse, type CliInput, type CliParts, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { authorMark } from '../render.ts';
import { alignColumns } from '../table.ts';
import { changes, erase, listTrash, pathOf, printJson, remove, restore, type ChatAction, type ChatUse } from './chat-filing.ts';
import { exportChat, importChat } from './chat-files.ts';

export const chats: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [action = 'list', id, ...words] = positionals;
  const asJson = options['json'] === true;
  const use = { id: id ?? '', words, asJson, isSure: options['yes'] === true, withArchived: options['archived'] === true, files: filesOf(parts, options) };
  const found = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!found) return refuseAction(output, 'chats', action, Object.keys(actions));
  const whyNot = found.whyNot?.(use) ?? whyNotTaken(found.takes, positionals.slice(1));
  if (whyNot !== undefined) return refuseUse(output, `'chats ${action}' ${whyNot}`);
  return withServer(parts, signal, (client) => found.run(client, use, output));
};

const actions: Readonly<Record<string, ChatAction>> = {
  list: { takes: 'nothing', run: list },
  trash: { takes: 'nothing', run: listTrash },
  show: { takes: 'id', run: show },
  delete: { takes: 'id', run: remove },
  restore: { takes: 'id', run: restore },
  erase: { takes: 'id', run: erase },
  export: { takes: 'id', run: exportChat },
  import: { takes: 'file', run: importChat },
  ...changes,
};

function filesOf({ services }: CliParts, options: CliInput['options']): ChatUse['files'] {
  const { format, out, folder } = options;
  return {
    folder: services.product.startFolder,
    withSecrets: options['with-secrets'] === true,
    ...(typeof format === 'string' ? { format } : {}),
    ...(typeof out === 'string' ? { out } : {}),
    ...(typeof folder === 'string' ? { workspace: folder } : {}),
  };
}

function whyNotTaken(takes: ChatAction['takes'], given: readonly string[]): string | undefined {
  if (takes === 'nothing') return given.length === 0 ? undefined : 'takes no arguments.';
  if (given.length === 0) return takes === 'file' ? 'needs a file that was exported as JSON.' : 'needs the id of a chat.';
  if (takes === 'file') return given.length > 1 ? 'takes one file only.' : undefined;
  return takes === 'id' && given.length > 1 ? 'takes one id only.' : undefined;
}

async function list(client: Client, { asJson, withArchived }: ChatUse, output: CliOutput): Promise<number> {
  const reply = await client.call<{ chats: ChatMeta[]; activeChatId: string | null }>('GET', `/api/chats${withArchived ? '?archived=true' : ''}`);
  if (asJson) return printJson(reply, output);
  const listed = reply.chats.filter((chat) => !isUnlisted(chat));
  if (listed.length === 0) output.out("There are no chats yet; 'chat' starts one.\n");
  const rows = listed.map((chat) => [
    chat.chatId === reply.activeChatId ? '*' : ' ',
    chat.chatId,
    `${countWithNoun(chat.turns, 'turn')}`,
    chat.updatedAt.slice(0, 16).replace('T', ' '),
    `${oneLine(chat.title, 60)}${describeFacts(chat)}`,
  ]);
  output.out(alignColumns(rows));
  return exitCodes.done;
}

async function show(client: Client, { id, asJson }: ChatUse, output: CliOutput): Promise<number> {
  const path = pathOf(id);
  const chat = await client.call<ChatMeta>('GET', path);
  const { entries, cursor } = await client.call<TranscriptPage>('GET', `${path}/transcript`);
  if (asJson) return printJson({ ...chat, entries, ...(cursor === undefined ? {} : { cursor }) }, output);
  output.out(`${oneLine(chat.title, 100)}\n`);
  output.out(
    alignColumns([
      ['id', chat.chatId],
      ['workspace', `${makeSafe(chat.workspaceRoot)} (${chat.workspaceMode})`],
      ['created', chat.createdAt],
      ['updated', chat.updatedAt],
      ['turns', String(chat.turns)],
      ['mode', chat.mode],
      ...(chat.effort === undefined ? [] : [['effort', chat.effort]]),
      ...(chat.tags.length === 0 ? [] : [['tags', oneLine(chat.tags.join(', '), 300)]]),
    ]),
  );
  if (cursor !== undefined) output.out('\n… earlier entries are left out\n');
  for (const entry of entries) output.out(`\n${describeEntry(entry)}\n`);
  return exitCodes.done;
}

/** Formats the properties of a chat in parentheses: ` (busy, pinned, #work)`. */
function describeFacts({ busy, pinned, archived, tags }: ChatMeta): string {
  const facts = [...(busy ? ['busy'] : []), ...(pinned ? ['pinned'] : []), ...(archived ? ['archived'] : []), ...tags.map((tag) => `#${oneLine(tag, 40)}`)];
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

function describeEntry(entry: Entry): string {
  if (entry.kind !== 'tool') return `${entry.kind}: ${entry.kind === 'user' || entry.kind === 'announcement' ? authorMark(entry) : ''}${makeSafe(entry.text)}`;
  const { name, ok, output = '', decision } = entry;
  const decided = decision?.saidBy === undefined ? '' : ` (${oneLine(decisionText(decision), 300)})`;
  return `tool: ${oneLine(name, 100)} ${oneLine(callText(entry), 120)}${decided} ${ok === false ? 'failed: ' : ''}${oneLine(output, 120)}`.trimEnd();
}
