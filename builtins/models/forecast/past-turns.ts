// Stores the costs of past turns on disk, one line per turn in the plugin's folder. Lines contain hashes of words instead of chat text.
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { isRecord, jsonOf } from '#lib/values';
import type { Services } from 'agent-harness/kernel';
import type { JournalWriter } from 'agent-harness/plugins/storage';
import { createHistory, mostTurns, type History, type PastTurn } from './history.ts';

export interface PastTurns {
  /** Returns the history. Reads the file once, and removes the turns of chats that were permanently deleted in the meantime. */
  history(): Promise<History>;
  /** Adds a turn. The history contains it immediately; the file contains it by the time {@link PastTurns.close} resolves. */
  add(turn: PastTurn): Promise<void>;
  /** Removes the turns of a chat. Resolves when no data of the chat is left on disk. */
  forget(chatId: string): Promise<void>;
  /** Closes the file. Resolves when all turns are written. */
  close(): Promise<void>;
}

export interface PastTurnsParts {
  readonly services: Pick<Services, 'chats' | 'journals' | 'storage'>;
  /** Absolute path of the folder, which is created with the first turn. */
  readonly folder: string;
  onFault(cause: unknown): void;
}

export function openPastTurns({ services, folder, onFault }: PastTurnsParts): PastTurns {
  const { chats, journals, storage } = services;
  const path = join(folder, 'turns.jsonl');
  const queue = createSerialQueue();
  let writer: JournalWriter<never> | undefined;
  let history: Promise<History> | undefined;
  /** Number of lines in the file, at most twice the number of turns. */
  let lineCount = 0;

  async function read(): Promise<History> {
    const lines = ((await storage.readText(path)) ?? '').split('\n').filter((line) => line !== '');
    lineCount = lines.length;
    const turns = lines.flatMap((line) => turnOf(jsonOf(line)));
    return createHistory(await withoutGone(turns));
  }

  /** Removes the turns of chats that are neither listed nor in the trash; reads the trash only if a chat is missing. */
  async function withoutGone(turns: readonly PastTurn[]): Promise<readonly PastTurn[]> {
    try {
      const missing = new Set<string>();
      const ids = new Set(turns.map(({ chatId }) => chatId));
      await Promise.all(Array.from(ids, async (id) => ((await storage.has(chats.folder(id))) ? undefined : missing.add(id))));
      if (missing.size > 0) for (const { chatId } of await chats.trash()) missing.delete(chatId);
      const others = turns.filter(({ chatId }) => !missing.has(chatId));
      if (others.length < turns.length) await rewrite(others);
      return others;
    } catch (cause) {
      onFault(cause); // retried at the next start
      return turns;
    }
  }
  const open = (): Promise<History> => (history ??= read());

  async function rewrite(turns: readonly PastTurn[]): Promise<void> {
    await writer?.close();
    writer = undefined;
    if (turns.length === 0) await storage.remove(path);
    else await storage.writeFile(path, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    lineCount = turns.length;
  }

  return {
    history: open,
    add: (turn) =>
      queue.run(async () => {
        const { add, turns } = await open();
        add(turn);
        if (lineCount >= 2 * mostTurns) return rewrite(turns);
        writer ??= journals.open<never>(path, { makesFolder: true, onFault });
        writer?.append(`${JSON.stringify(turn)}\n`);
        lineCount++;
      }),
    forget: (chatId) =>
      queue.run(async () => {
        const { turns } = await open();
        const others = turns.filter((turn) => turn.chatId !== chatId);
        // The file may also contain older turns of the chat.
        if (others.length === turns.length && lineCount <= turns.length) return;
        history = Promise.resolve(createHistory(others));
        await rewrite(others);
      }),
    close: () =>
      queue.run(async () => {
        await history?.catch(() => undefined); // the error is reported to the caller of `history()`
        await writer?.close();
        writer = undefined;
      }),
  };
}

/** Parses a line; returns an empty list for a line that is truncated or has another version. */
function turnOf(line: unknown): PastTurn[] {
  if (!isRecord(line)) return [];
  const { at, chatId, turnId, model, workspaceRoot, words, length, context, tokens } = line;
  const isWhole =
    [at, chatId, turnId, model, workspaceRoot].every((value) => typeof value === 'string') &&
    [length, context, tokens].every((value) => typeof value === 'number') &&
    Array.isArray(words);
  return isWhole ? [line as unknown as PastTurn] : [];
}
