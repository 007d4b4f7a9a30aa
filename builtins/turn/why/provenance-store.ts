// Stores the provenance of a chat's newest turns as lines in a file beside its journal. Texts are stored once; the text of notes is not stored.
import { join } from 'node:path';
import { createSerialQueues } from '#lib/async';
import { sha256 } from '#lib/hash';
import { BoundedMap, isRecord, jsonOf } from '#lib/values';
import type { Chats } from 'agent-harness/plugins/chats';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import { withNotes, type Piece, type TurnProvenance } from './turn-provenance.ts';

export interface StoredProvenance extends TurnProvenance {
  /** Time, ISO 8601; omitted in records of version 0.1. */
  readonly at?: string;
}

export interface ProvenanceStore {
  /** Appends one line without flushing. Writes the id of a note instead of its words. */
  write(chatId: string, turnId: string, provenance: TurnProvenance): Promise<void>;
  /** Returns provenance by turn id, newest turn last. Converts the file of version 0.1. */
  read(chatId: string): Promise<ReadonlyMap<string, StoredProvenance>>;
  /** Copies the provenance of turns to a copy of the chat that contains these turns. */
  copy(from: string, to: string, turns: ReadonlySet<string>): Promise<void>;
}

export interface ProvenanceStoreParts {
  readonly chats: Pick<Chats, 'folder'>;
  readonly storage: Pick<Storage, 'has' | 'readJson' | 'remove' | 'writeFile'>;
  readonly journals: Pick<JournalStore, 'open' | 'read'>;
  onFault(cause: unknown): void;
}

/** One line of the file; `texts` contains only texts that no earlier line contains. The file of version 0.1, `makings.json`, has the same format. */
interface Line {
  readonly texts: Readonly<Record<string, string>>;
  readonly turns: readonly (Omit<StoredProvenance, 'pieces'> & { readonly turnId: string; readonly pieces: readonly StoredPiece[] })[];
}
type StoredPiece = Omit<Piece, 'text'> & { readonly of: string };
type Turns = Map<string, StoredProvenance>;

/** State of a file on which the next line depends: number of lines, length in UTF-16 code units, and hashes of its texts. */
interface End {
  lines: number;
  size: number;
  readonly known: Set<string>;
}

/** Limits of one chat: number of turns, and length of their texts in UTF-16 code units. The newest turns are kept. */
const most = { turns: 100, texts: 400_000 };
/** Factor by which the file may exceed the limits before it is rewritten. */
const growth = 2;
const openChats = 50;

export function createProvenanceStore({ chats, storage, journals, onFault }: ProvenanceStoreParts): ProvenanceStore {
  const queues = createSerialQueues<string>();
  const ends = new BoundedMap<string, End>(openChats);
  const fileOf = (chatId: string): string => join(chats.folder(chatId), 'provenance.jsonl');
  const formerOf = (chatId: string): string => join(chats.folder(chatId), 'makings.json');

  async function load(chatId: string): Promise<Turns> {
    const turns: Turns = new Map();
    const texts: Record<string, string> = {};
    const end: End = { lines: 0, size: 0, known: new Set() };
    const take = (line: Line): void => {
      Object.assign(texts, line.texts);
      for (const { turnId, pieces, ...turn } of line.turns)
        turns.set(turnId, { ...turn, pieces: pieces.map(({ of, ...piece }) => ({ ...piece, text: texts[of] ?? '' })) });
    };
    for await (const some of journals.read(fileOf(chatId)))
      for (const { text } of some) {
        const line = jsonOf(text);
        end.lines++;
        end.size += text.length;
        if (isLine(line)) take(line);
      }
    for (const of of Object.keys(texts)) end.known.add(of);
    ends.set(chatId, end);
    const former = end.lines === 0 ? await storage.readJson(formerOf(chatId), isLine) : undefined;
    if (!former) return bounded(turns);
    take(former);
    for (const [turnId, turn] of turns) turns.set(turnId, withoutNotes(turn));
    return replace(chatId, turns);
  }

  async function replace(chatId: string, all: Turns): Promise<Turns> {
    const turns = bounded(all);
    const end: End = { lines: 1, size: 0, known: new Set() };
    const line = encode(turns, end);
    await storage.writeFile(fileOf(chatId), line);
    ends.set(chatId, end);
    await storage.remove(formerOf(chatId));
    return turns;
  }

  async function write(chatId: string, turnId: string, provenance: TurnProvenance): Promise<void> {
    const turn = { at: new Date().toISOString(), ...withoutNotes(provenance) };
    if (!ends.has(chatId)) await load(chatId);
    const end = ends.get(chatId);
    if (!end || end.lines >= growth * most.turns || end.size >= growth * 2 * most.texts) {
      if (await storage.has(chats.folder(chatId))) await replace(chatId, (await load(chatId)).set(turnId, turn));
      return;
    }
    // A write must not recreate the folder of a chat that was deleted in the meantime.
    const writer = journals.open(fileOf(chatId), {
      onFault(cause) {
        // After an error, the next line must repeat all of its texts.
        ends.delete(chatId);
        onFault(cause);
      },
    });
    if (!writer) return;
    writer.append(encode([[turnId, turn]], end));
    end.lines++;
    await writer.close();
  }

  const read = (chatId: string): Promise<Turns> => queues.run(chatId, () => load(chatId));
  return {
    read,
    write: (chatId, turnId, provenance) => queues.run(chatId, () => write(chatId, turnId, provenance)),
    async copy(from, to, ids) {
      const wanted = new Map([...(await read(from))].filter(([turnId]) => ids.has(turnId)));
      if (wanted.size > 0) await queues.run(to, () => replace(to, wanted));
    },
  };
}

const withoutNotes = <T extends TurnProvenance>(turn: T): T => ({ ...turn, pieces: turn.pieces.map((piece) => withNotes(piece, (id) => `[${id}]`)) });

/** Encodes turns as one line, and updates the state of the file with the line. */
function encode(turns: Iterable<readonly [string, StoredProvenance]>, end: End): string {
  const texts: Record<string, string> = {};
  const rows = Array.from(turns, ([turnId, turn]) => ({
    turnId,
    ...turn,
    pieces: turn.pieces.map(({ text, ...piece }): StoredPiece => {
      const of = sha256(text).slice(0, 20);
      if (!end.known.has(of)) texts[of] = text;
      end.known.add(of);
      return { ...piece, of };
    }),
  }));
  const line = `${JSON.stringify({ version: 1, texts, turns: rows })}\n`;
  end.size += line.length;
  return line;
}

/** Removes the oldest turns beyond the limits. */
function bounded(turns: Turns): Turns {
  const used = new Set<string>();
  const kept: (readonly [string, StoredProvenance])[] = [];
  let length = 0;
  for (const [turnId, turn] of [...turns].slice(-most.turns).toReversed()) {
    for (const { text } of turn.pieces) {
      if (!used.has(text)) length += text.length;
      used.add(text);
    }
    if (kept.length > 0 && length > most.texts) break;
    kept.unshift([turnId, turn]);
  }
  return new Map(kept);
}

function isLine(value: unknown): value is Line {
  if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['texts']) || !Array.isArray(value['turns'])) return false;
  return value['turns'].every(
    (turn: unknown) => isRecord(turn) && typeof turn['turnId'] === 'string' && Array.isArray(turn['pieces']) && Array.isArray(turn['steps']),
  );
}
