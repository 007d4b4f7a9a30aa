// Stores the provenance of the newest turns of a chat as lines of a file beside its journal, each text once.
import { join } from 'node:path';
import { createSerialQueues } from 'agent-harness/lib/async';
import { sha256 } from 'agent-harness/lib/hash';
import { BoundedMap, isRecord, jsonOf } from 'agent-harness/lib/values';
import type { Chats } from 'agent-harness/plugins/chats';
import type { JournalStore, Storage } from 'agent-harness/plugins/storage';
import type { Piece, Step, TurnProvenance } from './turn-provenance.ts';

export interface ProvenanceStore {
  /** Appends one line; it is not flushed. */
  write(chatId: string, turnId: string, provenance: TurnProvenance): Promise<void>;
  /** Newest turn last. */
  read(chatId: string): Promise<ReadonlyMap<string, TurnProvenance>>;
  /** Replaces texts of prompt parts. Resolves when the former texts are gone from the disk. */
  rewrite(chatId: string, textOf: (piece: Piece) => string): Promise<void>;
  /** Copies the provenance of turns into another chat that has them, too. */
  copy(from: string, to: string, turns: ReadonlySet<string>): Promise<void>;
}

export interface ProvenanceStoreParts {
  readonly chats: Pick<Chats, 'folder'>;
  readonly storage: Pick<Storage, 'createId' | 'has' | 'readJson' | 'remove' | 'writeFile'>;
  readonly journals: Pick<JournalStore, 'last' | 'open' | 'read'>;
  onFault(cause: unknown): void;
}

type KeptPiece = Omit<Piece, 'text'> & { readonly of: string };
interface KeptTurn {
  readonly turnId: string;
  readonly pieces: readonly KeptPiece[];
  readonly steps: readonly Step[];
}
type Texts = Readonly<Record<string, string>>;
/** One line; `texts` has those that no earlier line has. The file of 0.1, `makings.json`, is one document of this shape. */
interface Kept {
  readonly texts: Texts;
  readonly turns: readonly KeptTurn[];
}

/** State of the file of a chat that the next line depends on. */
interface End {
  /** Id in each line; differs after another process rewrote the file. */
  readonly file: string;
  /** UTF-16 units. */
  readonly size: number;
  readonly lines: number;
  readonly known: ReadonlySet<string>;
}

/** Limits of one chat: turns, and UTF-16 units of all their texts. The newest are kept. */
const most = { turns: 100, texts: 400_000 };
/** The file is rewritten when it exceeds the limits by this factor. */
const growth = 2;
const openChats = 50;

export function createProvenanceStore({ chats, storage, journals, onFault }: ProvenanceStoreParts): ProvenanceStore {
  const queues = createSerialQueues<string>();
  const ends = new BoundedMap<string, End>(openChats);
  const fileOf = (chatId: string): string => join(chats.folder(chatId), 'provenance.jsonl');
  const formerOf = (chatId: string): string => join(chats.folder(chatId), 'makings.json');

  async function read(chatId: string): Promise<Kept & Pick<End, 'lines' | 'size'>> {
    const turns = new Map<string, KeptTurn>();
    const texts: Record<string, string> = {};
    let [lines, size] = [0, 0];
    const take = (kept: Kept): void => {
      Object.assign(texts, kept.texts);
      for (const turn of kept.turns) {
        turns.delete(turn.turnId);
        turns.set(turn.turnId, turn);
      }
    };
    for await (const some of journals.read(fileOf(chatId)))
      for (const { text } of some) {
        const kept = jsonOf(text);
        lines++;
        size += text.length;
        if (isKept(kept)) take(kept);
      }
    if (lines === 0) {
      const former = await storage.readJson(formerOf(chatId), isKept);
      if (former) take(former);
    }
    return { ...bounded([...turns.values()], texts), lines, size };
  }

  async function endOf(chatId: string): Promise<End> {
    const file = journals.last(fileOf(chatId), (line) => /^\{"version":1,"file":"(\w+)"/.exec(line)?.[1]);
    const known = ends.get(chatId);
    if (known && known.file === file) return known;
    const { texts, lines, size } = await read(chatId);
    return { file: file ?? storage.createId('file'), size, lines, known: new Set(lines === 0 ? [] : Object.keys(texts)) };
  }

  async function replace(chatId: string, kept: Kept): Promise<void> {
    const whole = bounded(kept.turns, kept.texts);
    const file = storage.createId('file');
    const line = lineOf(file, whole);
    await storage.writeFile(fileOf(chatId), line);
    ends.set(chatId, { file, size: line.length, lines: 1, known: new Set(Object.keys(whole.texts)) });
    await storage.remove(formerOf(chatId));
  }

  async function write(chatId: string, turnId: string, { pieces, steps }: TurnProvenance): Promise<void> {
    // A chat deleted meanwhile is not recreated.
    if (!(await storage.has(chats.folder(chatId)))) return;
    const texts = Object.fromEntries(pieces.map(({ text }) => [keyOf(text), text]));
    const turn: KeptTurn = { turnId, steps, pieces: pieces.map(({ text, ...piece }) => ({ ...piece, of: keyOf(text) })) };
    const end = await endOf(chatId);
    const isFull = end.lines >= growth * most.turns || end.size >= growth * 2 * most.texts;
    if (isFull || (end.lines === 0 && (await storage.has(formerOf(chatId))))) {
      const before = await read(chatId);
      return replace(chatId, { turns: [...before.turns.filter((one) => one.turnId !== turnId), turn], texts: { ...before.texts, ...texts } });
    }
    const fresh = Object.entries(texts).filter(([of]) => !end.known.has(of));
    const line = lineOf(end.file, { turns: [turn], texts: Object.fromEntries(fresh) });
    const writer = journals.open(fileOf(chatId), { onFault });
    writer?.append(line);
    await writer?.close();
    ends.set(chatId, { ...end, size: end.size + line.length, lines: end.lines + 1, known: new Set([...end.known, ...fresh.map(([of]) => of)]) });
  }

  async function rewrite(chatId: string, textOf: (piece: Piece) => string): Promise<void> {
    const kept = await read(chatId);
    if (kept.turns.length === 0) return;
    const texts: Record<string, string> = {};
    const turns = kept.turns.map((turn) => ({
      ...turn,
      pieces: turn.pieces.map(({ of, ...piece }) => {
        const text = textOf({ ...piece, text: kept.texts[of] ?? '' });
        const key = keyOf(text);
        texts[key] = text;
        return { ...piece, of: key };
      }),
    }));
    await replace(chatId, { turns, texts });
  }

  return {
    write: (chatId, turnId, provenance) => queues.run(chatId, () => write(chatId, turnId, provenance)),
    async read(chatId) {
      const { turns, texts } = await read(chatId);
      return new Map(
        turns.map(({ turnId, steps, pieces }) => [turnId, { steps, pieces: pieces.map(({ of, ...piece }) => ({ ...piece, text: texts[of] ?? '' })) }]),
      );
    },
    rewrite: (chatId, textOf) => queues.run(chatId, () => rewrite(chatId, textOf)),
    copy: (from, to, turns) =>
      queues.run(to, async () => {
        const kept = await read(from);
        const wanted = kept.turns.filter(({ turnId }) => turns.has(turnId));
        if (wanted.length > 0) await replace(to, { turns: wanted, texts: kept.texts });
      }),
  };
}

const keyOf = (text: string): string => sha256(text).slice(0, 20);
const lineOf = (file: string, { texts, turns }: Kept): string => `${JSON.stringify({ version: 1, file, texts, turns })}\n`;

/** Drops the oldest turns, and texts that no turn uses any more. */
function bounded(turns: readonly KeptTurn[], texts: Texts): Kept {
  const kept: KeptTurn[] = [];
  const used = new Map<string, string>();
  let length = 0;
  for (const turn of turns.slice(-most.turns).toReversed()) {
    const fresh = new Map(turn.pieces.filter(({ of }) => !used.has(of)).map(({ of }) => [of, texts[of] ?? '']));
    const more = [...fresh.values()].reduce((sum, text) => sum + text.length, 0);
    if (kept.length > 0 && length + more > most.texts) break;
    length += more;
    for (const [of, text] of fresh) used.set(of, text);
    kept.unshift(turn);
  }
  return { texts: Object.fromEntries(used), turns: kept };
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['texts']) || !Array.isArray(value['turns'])) return false;
  return value['turns'].every(
    (turn: unknown) => isRecord(turn) && typeof turn['turnId'] === 'string' && Array.isArray(turn['pieces']) && Array.isArray(turn['steps']),
  );
}
