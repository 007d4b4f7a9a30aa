// Writes an imported conversation as a chat, using the events of a native chat; nothing is executed.
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { clip, firstLine, textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import { untitled } from 'agent-harness/transcript';
import type { ChatSource, CreateChat, ImportChat, ImportedChat, ImportedPart } from '../contract.ts';
import { checkChange } from './chat-change.ts';
import { cleanTitle } from './draft-chat.ts';
import { createImportedEvents, type JournalLine } from './imported-events.ts';
import type { SavedMeta } from './saved-meta.ts';

export interface ImportingParts {
  readonly storage: Storage;
  readonly journals: JournalStore;
  folder(chatId: string): string;
  draft(wanted: CreateChat): Promise<SavedMeta>;
  /** Stores the chat; if the returned promise rejects, the chat is removed. */
  keepNew(meta: SavedMeta): Promise<void>;
  /** Returns all chats, and the chats in the trash. */
  metas(): Promise<{ readonly here: readonly SavedMeta[]; readonly inTrash: readonly SavedMeta[] }>;
  nextId(): number;
  /** Notifies clients of the new chat. */
  announce(meta: SavedMeta): void;
  invalid(why: string): Error;
}

export interface Importing {
  import(wanted: ImportChat): Promise<ImportedChat>;
  imported(from: string): Promise<ReadonlyMap<string, Pick<ImportedChat, 'chatId' | 'isInTrash'>>>;
}

/** Number of characters that are written to the journal at once. */
const writtenAtOnce = 256 * 1024;

export function createImporting(parts: ImportingParts): Importing {
  /** Imports run one after the other, because a second import must find the chats of the first. */
  const queue = createSerialQueue();

  async function imported(from: string): Promise<Map<string, Pick<ImportedChat, 'chatId' | 'isInTrash'>>> {
    const { here, inTrash } = await parts.metas();
    const found = new Map<string, Pick<ImportedChat, 'chatId' | 'isInTrash'>>();
    for (const [metas, isInTrash] of [
      [inTrash, true],
      [here, false],
    ] as const)
      for (const { chatId, imported: source } of metas) if (source?.from === from) found.set(source.id, { chatId, isInTrash });
    return found;
  }

  async function importOne(wanted: ImportChat): Promise<ImportedChat> {
    const { from, id } = wanted.source;
    const known = (await imported(from)).get(id);
    if (known) return { ...known, isNew: false, turns: 0 };
    const meta = await draftWhere(wanted);
    const { chatId } = meta;
    // `meta.json` is written last: an aborted import leaves no chat and can be repeated.
    const done = await write(meta, wanted).catch(async (fault: unknown) => {
      await parts.storage.removeFolder(parts.folder(chatId));
      throw fault;
    });
    await parts.keepNew(done);
    parts.announce(done);
    return { chatId, isNew: true, isInTrash: false, turns: done.turns };
  }

  /** Drafts the chat. Rejects if the selected folder cannot be used. */
  async function draftWhere({ source, title = '', workspaceRoot, tags = [] }: ImportChat): Promise<SavedMeta> {
    const checked = checkChange({ tags: tags.map((tag) => textStart(tag, 40)).slice(0, 20) });
    const drafted = await parts.draft({ title, ...(workspaceRoot === undefined ? { workspaceMode: 'scratch' } : { workspaceMode: 'folder', workspaceRoot }) });
    return { ...drafted, imported: source, ...('why' in checked ? {} : { tags: checked.tags ?? [] }) };
  }

  async function write(meta: SavedMeta, { source, parts: given }: ImportChat): Promise<SavedMeta> {
    const { chatId } = meta;
    let fault: Error | undefined;
    const journal = parts.journals.open(join(parts.folder(chatId), 'session.jsonl'), { makesFolder: true, onFault: (cause) => void (fault = cause) });
    const events = createImportedEvents(chatId, (prefix) => parts.storage.createId(prefix));
    let text = '';
    const put = (lines: readonly JournalLine[]): void => {
      for (const { kind, at, fields } of lines) text += `${JSON.stringify({ id: parts.nextId(), kind, at, ...fields })}\n`;
      if (text.length >= writtenAtOnce) flush();
    };
    const flush = (): void => {
      if (text !== '') journal?.append(text);
      text = '';
      if (fault) throw fault;
    };
    try {
      let isFirst = true;
      for await (const part of given) {
        if (isFirst) put(events.begin(part.at, announcementOf(source)));
        isFirst = false;
        put(events.take(cut(part)));
      }
      put(events.end());
      if (events.turns === 0) throw parts.invalid('The conversation contains no messages, so there is nothing to import.');
      const done = finished(meta, events);
      const { title, workspaceMode, workspaceRoot } = done;
      put([{ kind: 'chat_updated', at: done.updatedAt, fields: { chatId, change: 'imported', title, workspaceMode, workspaceRoot, imported: source } }]);
      flush();
      await journal?.sync();
      return done;
    } finally {
      await journal?.close();
    }
  }

  return { imported, import: (wanted) => queue.run(() => importOne(wanted)) };
}

function finished(meta: SavedMeta, { turns, firstAt, lastAt, firstText }: ReturnType<typeof createImportedEvents>): SavedMeta {
  const named = meta.isTitled === true ? meta.title : cleanTitle(firstLine(firstText.trim()));
  const title = named === '' ? untitled : named;
  return { ...meta, title, isTitled: title !== untitled, turns, createdAt: firstAt, updatedAt: lastAt };
}

function announcementOf({ from }: ChatSource): string {
  const where = from === 'file' ? 'a file' : from;
  return `This chat came from ${where}. What was done before this point was done there, with other tools; nothing of it was run here, and files may have changed since.`;
}

const longestText = 1024 * 1024;
const longestOutput = 48_000;
const longestArgs = 256 * 1024;

/** Truncates a part to the limits of this product. */
function cut(part: ImportedPart): ImportedPart {
  if (part.kind === 'result') return { ...part, output: clip(part.output, longestOutput) };
  if (part.kind !== 'call') return { ...part, text: clip(part.text, longestText) };
  const args = isRecord(part.args) ? part.args : { input: part.args ?? '' };
  const text = JSON.stringify(args);
  return { ...part, args: text.length <= longestArgs ? args : { cut: clip(text, longestArgs) } };
}
