// Records everything that clients received and compares it with the journals after each kill.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createChatCheck, type JournalRow } from '../../helpers/journal-check.ts';

/** Live-only events, which are not stored in a journal. */
const liveKinds = new Set(['chat_switched', 'settings_changed', 'config_changed', 'plugin_changed', 'account_changed', 'compose_preview', 'error']);

export interface CrashRecord {
  /** Records an acknowledged message. */
  accepted(message: { readonly messageId: string; readonly chatId: string }): void;
  saw(json: string): void;
  check(home: string): Promise<string[]>;
  readonly messageIds: ReadonlyMap<string, string>;
  readonly lines: number;
  readonly interrupted: number;
}

export function createCrashRecord(): CrashRecord {
  const messageIds = new Map<string, string>();
  const known = new Map<number, string>();
  const liveIds = new Set<number>();
  let newest = 0;
  let lines = 0;
  let interrupted = 0;

  function look(chatId: string, text: string, earlier: number, found: Map<number, string>): string[] {
    const faults: string[] = [];
    const rows = text.split('\n');
    if (rows.pop() !== '') faults.push(`${chatId}: the last line is half written`);
    const chat = createChatCheck(chatId);
    let last = 0;
    for (const row of rows) {
      let event: JournalRow;
      try {
        event = JSON.parse(row) as JournalRow;
      } catch {
        faults.push(`${chatId}: no JSON: ${row.slice(0, 200)}`);
        continue;
      }
      if (event.id <= last) faults.push(`${chatId}: id ${event.id} after ${last}`);
      if (found.has(event.id) || liveIds.has(event.id)) faults.push(`${chatId}: id ${event.id} is given out twice`);
      if (event.id <= earlier && !known.has(event.id)) faults.push(`${chatId}: id ${event.id} is new and not past ${earlier}`);
      last = event.id;
      found.set(event.id, row);
      chat.take(event);
    }
    return [...faults, ...chat.faults()];
  }

  return {
    messageIds,
    get lines() {
      return lines;
    },
    get interrupted() {
      return interrupted;
    },
    accepted: ({ messageId, chatId }) => void messageIds.set(messageId, chatId),
    saw(json) {
      const { id, kind, chatId } = JSON.parse(json) as { id?: number; kind: string; chatId?: string };
      if (id === undefined) return;
      if (chatId === undefined || liveKinds.has(kind)) liveIds.add(id);
      else known.set(id, json);
    },
    async check(home) {
      const found = new Map<number, string>();
      const faults: string[] = [];
      const journaled = new Set<string>();
      for (const chatId of await readdir(join(home, 'chats')).catch(() => [])) {
        if (!chatId.startsWith('chat_')) continue;
        const text = await readFile(join(home, 'chats', chatId, 'session.jsonl'), 'utf8').catch(() => '');
        faults.push(...look(chatId, text, newest, found));
        for (const [, messageId] of text.matchAll(/"kind":"message_accepted".*?"messageId":"(\w+)"/g)) journaled.add(`${chatId} ${messageId}`);
      }
      for (const [id, json] of known) if (found.get(id) !== json) faults.push(`event ${id} was ${json} and is ${String(found.get(id))}`);
      for (const [messageId, chatId] of messageIds) if (!journaled.has(`${chatId} ${messageId}`)) faults.push(`${messageId} of ${chatId} is lost`);
      for (const [id, json] of found) known.set(id, json);
      newest = Math.max(newest, ...known.keys(), ...liveIds);
      lines = found.size;
      interrupted = [...found.values()].filter((row) => row.includes('"reason":"interrupted"')).length;
      return faults;
    },
  };
}

export async function findRunTwice(path: string): Promise<{ readonly total: number; readonly twice: string[] }> {
  const ran = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { total: ran.length, twice: ran.filter((callId, index) => ran.indexOf(callId) !== index) };
}
