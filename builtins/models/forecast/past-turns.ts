// What turns came to: a line for each in the plugin's folder, the newest kept. No text of a chat is in it; of its words, numbers.
import { join } from 'node:path';
import { createSerialQueue } from 'agent-harness/lib/async';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { JournalStore, JournalWriter, Storage } from 'agent-harness/plugins/storage';
import { createHistory, mostTurns, type History, type PastTurn } from './history.ts';

export interface PastTurns {
  /** Read once; then those of chats that went for good meanwhile go, too. */
  history(): Promise<History>;
  /** It counts at once; on the disk it is when {@link PastTurns.close} has resolved, or soon. */
  add(turn: PastTurn): Promise<void>;
  /** Resolves when nothing of the chat is on the disk. */
  forget(chatId: string): Promise<void>;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

export interface PastTurnsParts {
  readonly storage: Pick<Storage, 'readText' | 'remove' | 'writeFile'>;
  readonly journals: Pick<JournalStore, 'open'>;
  /** Absolute; made with the first turn. */
  readonly folder: string;
  /** Of these chats, those that went for good. */
  gone(chatIds: Iterable<string>): Promise<ReadonlySet<string>>;
  onFault(cause: unknown): void;
}

export function openPastTurns({ storage, journals, folder, gone, onFault }: PastTurnsParts): PastTurns {
  const path = join(folder, 'turns.jsonl');
  const queue = createSerialQueue();
  let writer: JournalWriter<never> | undefined;
  let history: Promise<History> | undefined;
  /** Lines of the file; at most twice as many as there are turns. */
  let kept = 0;

  async function read(): Promise<History> {
    const lines = ((await storage.readText(path)) ?? '').split('\n').filter((line) => line !== '');
    kept = lines.length;
    const turns = lines.flatMap((line) => turnOf(jsonOf(line)));
    return createHistory(await withoutGone(turns));
  }

  async function withoutGone(turns: readonly PastTurn[]): Promise<readonly PastTurn[]> {
    let others = turns;
    try {
      const ids = await gone(new Set(turns.map(({ chatId }) => chatId)));
      others = turns.filter(({ chatId }) => !ids.has(chatId));
      if (others.length < turns.length) await rewrite(others);
    } catch (cause) {
      onFault(cause); // the next start tries it again
    }
    return others;
  }
  const open = (): Promise<History> => (history ??= read());

  async function rewrite(turns: readonly PastTurn[]): Promise<void> {
    await writer?.close();
    writer = undefined;
    if (turns.length === 0) await storage.remove(path);
    else await storage.writeFile(path, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    kept = turns.length;
  }

  return {
    history: open,
    add: (turn) =>
      queue.run(async () => {
        const { add, turns } = await open();
        add(turn);
        if (kept >= 2 * mostTurns) return rewrite(turns);
        writer ??= journals.open<never>(path, { makesFolder: true, onFault });
        writer?.append(`${JSON.stringify(turn)}\n`);
        kept++;
      }),
    forget: (chatId) =>
      queue.run(async () => {
        const { turns } = await open();
        const others = turns.filter((turn) => turn.chatId !== chatId);
        // The file may have older ones of it, too.
        if (others.length === turns.length && kept <= turns.length) return;
        history = Promise.resolve(createHistory(others));
        await rewrite(others);
      }),
    close: () =>
      queue.run(async () => {
        await history?.catch(() => undefined); // reported to the caller that wanted it
        await writer?.close();
        writer = undefined;
      }),
  };
}

/** A line that was torn, or is of another version, is none. */
function turnOf(line: unknown): PastTurn[] {
  if (!isRecord(line)) return [];
  const { at, chatId, turnId, model, workspaceRoot, words, length, context, tokens } = line;
  const isWhole =
    [at, chatId, turnId, model, workspaceRoot].every((value) => typeof value === 'string') &&
    [length, context, tokens].every((value) => typeof value === 'number') &&
    Array.isArray(words);
  return isWhole ? [line as unknown as PastTurn] : [];
}
