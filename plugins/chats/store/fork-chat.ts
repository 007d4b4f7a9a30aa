// Copies a chat: the journal up to a turn under new event ids, and what its entries refer to. What plugins keep of it they copy themselves.
import { cp, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from 'agent-harness/lib/errors';
import type { JournalEvent } from '../contract.ts';
import { parseEvent } from 'agent-harness/transcript/events';
import { readLines } from '../journal/journal-file.ts';

export interface CopyChat {
  /** Absolute folder of the source. */
  readonly from: string;
  readonly to: string;
  /** Of the copy. */
  readonly chatId: string;
  /** The last turn to copy; every finished one when left out. */
  readonly atTurn?: string;
  readonly nextId: () => number;
  /** Has plugins copy what is theirs. */
  readonly copyOwn: (turns: ReadonlySet<string>) => Promise<void>;
}

interface Extent {
  /** Turns that had ended by then; a turn that is still running is not copied. */
  readonly ended: ReadonlySet<string>;
  readonly lastId: number;
}

/** Answers the turns that were copied; `undefined` when the journal has no such finished turn. Nothing is left of a copy that fails. */
export async function copyChat(copy: CopyChat): Promise<ReadonlySet<string> | undefined> {
  const extent = await findExtent(join(copy.from, 'session.jsonl'), copy.atTurn);
  if (!extent) return undefined;
  await mkdir(copy.to, { recursive: true, mode: 0o700 });
  try {
    await copyJournal(copy, extent);
    for (const folder of ['artifacts', 'attachments', 'audio']) {
      await copyIfThere(() => cp(join(copy.from, folder), join(copy.to, folder), { recursive: true, errorOnExist: false }));
    }
    await copy.copyOwn(extent.ended);
  } catch (fault) {
    await rm(copy.to, { recursive: true, force: true });
    throw fault;
  }
  return extent.ended;
}

async function findExtent(path: string, atTurn: string | undefined): Promise<Extent | undefined> {
  const ended = new Set<string>();
  let lastId = 0;
  for await (const lines of readLines(path)) {
    for (const { text } of lines) {
      const isEnd = text.includes('"kind":"turn_end"');
      const event = isEnd ? parseEvent(text) : undefined;
      if (event?.kind !== 'turn_end' || event.turnId === undefined) continue;
      ended.add(event.turnId);
      lastId = event.id;
      if (event.turnId === atTurn) return { ended, lastId };
    }
  }
  return atTurn === undefined ? { ended, lastId: Number.MAX_SAFE_INTEGER } : undefined;
}

async function copyJournal({ from, to, chatId, nextId }: CopyChat, { ended, lastId }: Extent): Promise<void> {
  const file = await open(join(to, 'session.jsonl'), 'w', 0o600);
  try {
    for await (const lines of readLines(join(from, 'session.jsonl'))) {
      let text = '';
      for (const line of lines) {
        const event = parseEvent(line.text);
        if (!event || !isCopied(event, ended, lastId)) continue;
        text += JSON.stringify({ ...event, id: nextId(), chatId }) + '\n';
      }
      if (text !== '') await file.appendFile(text);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

function isCopied(event: JournalEvent, ended: ReadonlySet<string>, lastId: number): boolean {
  if (event.id > lastId || event.kind === 'chat_updated') return false;
  return event.turnId === undefined || ended.has(event.turnId);
}

async function copyIfThere(copy: () => Promise<void>): Promise<void> {
  try {
    await copy();
  } catch (fault) {
    if (!isMissing(fault)) throw fault;
  }
}
