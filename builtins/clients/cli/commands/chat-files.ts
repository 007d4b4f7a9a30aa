// Implements `chats export` and `chats import`.
import { countWithNoun } from '#lib/text';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { explainFault } from '#lib/errors';
import { makeSafe } from '#lib/terminal';
import { isRecord, jsonOf } from '#lib/values';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { exitCodes, refuseUse } from '../cli-parts.ts';
import type { Client } from '../http-client.ts';

import { pathOf, printJson, type ChatUse } from './chat-filing.ts';

export const formats = ['markdown', 'json', 'html'] as const;

/** Exports a chat. Without a file name, writes the unmodified content to standard output for use in a pipe. */
export async function exportChat(
  client: Client,
  { id, files: { folder, format = 'markdown', out, withSecrets } }: ChatUse,
  output: CliOutput,
): Promise<number> {
  if (!(formats as readonly string[]).includes(format)) return refuseUse(output, `--format must be one of ${formats.join(', ')}.`);
  const { content } = await client.bytes(`${pathOf(id)}/export?format=${format}&secrets=${String(withSecrets)}`);
  if (out === undefined) {
    const text = content.toString('utf8');
    output.out(output.isTerminal ? makeSafe(text) : text);
    return exitCodes.done;
  }
  try {
    await writeFile(resolve(folder, out), content);
  } catch (fault) {
    throw explainFault(fault, out);
  }
  output.out(`Written to ${makeSafe(out)}.\n`);
  return exitCodes.done;
}

export async function importChat(client: Client, { id: file, asJson, files: { folder, workspace } }: ChatUse, output: CliOutput): Promise<number> {
  const text = await readFile(resolve(folder, file), 'utf8').catch((fault: unknown) => Promise.reject(explainFault(fault, file)));
  const body = jsonOf(text);
  if (!isRecord(body) || body['format'] !== 'agent-chat') {
    output.err(`${makeSafe(file)} is not an exported chat. Export one with: chats export <id> --format json --out <file>\n`);
    return exitCodes.failed;
  }
  const picked = workspace === undefined ? '' : `?workspaceRoot=${encodeURIComponent(resolve(folder, workspace))}`;
  const reply = await client.call<{ chatId: string; isNew: boolean; isInTrash: boolean; turns: number }>('POST', `/api/chats/import${picked}`, body);
  if (asJson) return printJson(reply, output);
  const { chatId, isNew, isInTrash, turns } = reply;
  if (isNew) output.out(`Imported as ${chatId}, with ${countWithNoun(turns, 'turn')}.\n`);
  else output.out(isInTrash ? `Imported before; the chat is in the trash (chats restore ${chatId}).\n` : `Imported before as ${chatId}.\n`);
  return exitCodes.done;
}
