// Copies a chat: the journal up to a turn, with new event ids, and the files of its entries. Plugins copy their own data.
import { join } from 'node:path';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import type { ChatBranch, JournalEvent } from '../contract.ts';
import type { SavedMeta } from './saved-meta.ts';
import { isRemoval } from 'agent-harness/transcript';
import { parseEvent } from 'agent-harness/transcript/events';

export interface CopyChat {
  readonly storage: Storage;
  readonly journals: JournalStore;
  /** Absolute path of the source chat's folder. */
  readonly from: string;
  readonly to: string;
  /** Id of the copy. */
  readonly chatId: string;
  /** The last turn to copy; default: all finished turns. */
  readonly atTurn?: string;
  /** The turn before which the copy ends; instead of `atTurn`. */
  readonly beforeTurn?: string;
  readonly nextId: () => number;
  /** Lets plugins copy their data of these turns. */
  readonly copyOwn: (turns: ReadonlySet<string>) => Promise<void>;
}

interface Extent {
  /** Turns that had ended when the copy began; a running turn is not copied. */
  readonly ended: ReadonlySet<string>;
  readonly lastId: number;
}

/** Copies a chat. Returns the ids of the copied turns; `undefined` if the journal has no such finished turn. A copy that fails is removed. */
export async function copyChat(copy: CopyChat): Promise<ReadonlySet<string> | undefined> {
  const extent = await findExtent(copy.journals.read(join(copy.from, 'session.jsonl')), copy);
  if (!extent) return undefined;
  try {
    await copyJournal(copy, extent);
    for (const folder of ['artifacts', 'attachments']) await copy.storage.copy(join(copy.from, folder), join(copy.to, folder));
    await copy.copyOwn(extent.ended);
  } catch (fault) {
    await copy.storage.removeFolder(copy.to);
    throw fault;
  }
  return extent.ended;
}

async function findExtent(
  journal: ReturnType<JournalStore['read']>,
  { atTurn, beforeTurn }: Pick<CopyChat, 'atTurn' | 'beforeTurn'>,
): Promise<Extent | undefined> {
  const ended = new Set<string>();
  let lastId = 0;
  for await (const lines of journal) {
    for (const { text } of lines) {
      const isBound = text.includes('"kind":"turn_end"') || (beforeTurn !== undefined && text.includes('"kind":"turn_start"'));
      const event = isBound ? parseEvent(text) : undefined;
      if (beforeTurn !== undefined && event?.turnId === beforeTurn && event.kind.startsWith('turn_')) return { ended, lastId };
      if (event?.kind !== 'turn_end' || event.turnId === undefined) continue;
      ended.add(event.turnId);
      lastId = event.id;
      if (event.turnId === atTurn) return { ended, lastId };
    }
  }
  return atTurn === undefined && beforeTurn === undefined ? { ended, lastId: Number.MAX_SAFE_INTEGER } : undefined;
}

async function copyJournal({ from, to, chatId, nextId, journals }: CopyChat, { ended, lastId }: Extent): Promise<void> {
  let fault: Error | undefined;
  const copied = journals.open(join(to, 'session.jsonl'), { makesFolder: true, onFault: (cause) => void (fault = cause) });
  try {
    for await (const lines of journals.read(join(from, 'session.jsonl'))) {
      let text = '';
      for (const line of lines) {
        const event = parseEvent(line.text);
        if (!event || !isCopied(event, ended, lastId)) continue;
        text += JSON.stringify({ ...event, id: nextId(), chatId }) + '\n';
      }
      if (text !== '') copied?.append(text);
      if (fault) throw fault;
    }
    await copied?.sync();
  } finally {
    await copied?.close();
  }
}

function isCopied(event: JournalEvent, ended: ReadonlySet<string>, lastId: number): boolean {
  // Removals that came after the turn also apply to the copy.
  if (isRemoval(event.kind)) return true;
  if (event.id > lastId || event.kind === 'chat_updated') return false;
  return event.turnId === undefined || ended.has(event.turnId);
}

interface Copied extends Pick<CopyChat, 'chatId' | 'beforeTurn'> {
  readonly turns: ReadonlySet<string>;
  readonly title: string;
}

export function copiedMeta({ branch: left, imported: _, ...source }: SavedMeta, { chatId, title, turns, beforeTurn }: Copied): SavedMeta {
  const at = new Date().toISOString();
  const branch = beforeTurn === undefined ? undefined : branchAt(source.chatId, beforeTurn, [...turns].at(-1), left);
  return {
    ...source,
    ...{ chatId, title, isTitled: beforeTurn === undefined || source.isTitled === true, pinned: false, archived: false },
    ...{ workspaceMode: 'reuse', createdAt: at, updatedAt: at, turns: turns.size },
    ...(branch ? { branch } : {}),
  };
}

/** Returns the position of a branch. A branch that begins where its source branched off has the same position as the source. */
function branchAt(chatId: string, turnId: string, after: string | undefined, left: ChatBranch | undefined): ChatBranch {
  return left && left.after === after ? left : { chatId, turnId, ...(after === undefined ? {} : { after }) };
}
