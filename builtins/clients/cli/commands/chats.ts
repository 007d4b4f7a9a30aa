// `chats`: which there are, what is in one, and deleting one.
import type { ChatMeta, TranscriptEntry, TranscriptPage } from 'agent-harness/plugins/chats';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { describeArgs, makeSafe, oneLine } from '../safe-text.ts';
import { alignColumns } from '../table.ts';

export const chats: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [action = 'list', id, ...more] = positionals;
  const asJson = options['json'] === true;
  if (action === 'list' && id === undefined) return withServer(parts, signal, (client) => list(client, asJson, output));
  if (id === undefined || more.length > 0) return refuseUse(output, "'chats' needs 'list', 'show <id>' or 'delete <id>'.");
  const path = `/api/chats/${encodeURIComponent(id)}`;
  if (action === 'show') return withServer(parts, signal, (client) => show(client, path, asJson, output));
  if (action === 'delete') return withServer(parts, signal, (client) => remove(client, path, asJson, output));
  return refuseUse(output, `'chats' knows list, show and delete, not '${action}'.`);
};

async function list(client: Client, asJson: boolean, output: CliOutput): Promise<number> {
  const reply = await client.call<{ chats: ChatMeta[]; activeChatId: string | null }>('GET', '/api/chats');
  if (asJson) return printJson(reply, output);
  if (reply.chats.length === 0) output.out("There are no chats yet; 'chat' begins one.\n");
  const rows = reply.chats.map((chat) => [
    chat.chatId === reply.activeChatId ? '*' : ' ',
    chat.chatId,
    `${chat.turns} ${chat.turns === 1 ? 'turn' : 'turns'}`,
    chat.updatedAt.slice(0, 16).replace('T', ' '),
    `${oneLine(chat.title, 60)}${chat.busy ? ' (busy)' : ''}`,
  ]);
  output.out(alignColumns(rows));
  return exitCodes.done;
}

async function show(client: Client, path: string, asJson: boolean, output: CliOutput): Promise<number> {
  const chat = await client.call<ChatMeta>('GET', path);
  const { entries, cursor } = await client.call<TranscriptPage>('GET', `${path}/transcript`);
  if (asJson) return printJson({ ...chat, entries, ...(cursor === undefined ? {} : { cursor }) }, output);
  output.out(`${oneLine(chat.title)}\n`);
  output.out(
    alignColumns([
      ['id', chat.chatId],
      ['workspace', `${makeSafe(chat.workspaceRoot)} (${chat.workspaceMode})`],
      ['created', chat.createdAt],
      ['updated', chat.updatedAt],
      ['turns', String(chat.turns)],
    ]),
  );
  if (cursor !== undefined) output.out('\n… earlier entries are left out\n');
  for (const entry of entries) output.out(`\n${describeEntry(entry)}\n`);
  return exitCodes.done;
}

async function remove(client: Client, path: string, asJson: boolean, output: CliOutput): Promise<number> {
  const reply = await client.call('DELETE', path);
  return asJson ? printJson(reply, output) : print('Deleted. It stays in the trash of the home folder for 30 days.', output);
}

function describeEntry(entry: TranscriptEntry): string {
  const text = [entry['text'], entry['message'], entry['output']].find((one) => typeof one === 'string') ?? '';
  if (entry.kind !== 'tool') return `${entry.kind}: ${makeSafe(text)}`;
  return `tool: ${oneLine(typeof entry['name'] === 'string' ? entry['name'] : '')} ${describeArgs(entry['args'])} ${entry['ok'] === false ? 'failed: ' : ''}${oneLine(text, 120)}`.trimEnd();
}

function printJson(reply: unknown, output: CliOutput): number {
  return print(JSON.stringify(reply, undefined, 2), output);
}

function print(text: string, output: CliOutput): number {
  output.out(`${text}\n`);
  return exitCodes.done;
}
