// What made the newest turns of a chat, in one file beside its journal: each text once, however many turns had it.
import { join } from 'node:path';
import { sha256 } from 'agent-harness/lib/hash';
import { isRecord } from 'agent-harness/lib/values';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Piece, Step, TurnMakings } from './turn-makings.ts';

export interface MakingsStore {
  write(chatId: string, turnId: string, makings: TurnMakings): Promise<void>;
  /** The newest turn last. */
  read(chatId: string): Promise<ReadonlyMap<string, TurnMakings>>;
  /** Parts of prompts with another text. Resolves when the former one is gone from the disk. */
  rewrite(chatId: string, textOf: (piece: Piece) => string): Promise<void>;
  /** Into another chat, which has these turns, too. */
  copy(from: string, to: string, turns: ReadonlySet<string>): Promise<void>;
}

type KeptPiece = Omit<Piece, 'text'> & { readonly of: string };
interface KeptTurn {
  readonly turnId: string;
  readonly pieces: readonly KeptPiece[];
  readonly steps: readonly Step[];
}
interface KeptFile {
  readonly version: 1;
  readonly texts: Readonly<Record<string, string>>;
  readonly turns: readonly KeptTurn[];
}

/** Of one chat: turns, and UTF-16 units of all their texts. The newest count. */
const most = { turns: 100, texts: 400_000 };
const none: KeptFile = { version: 1, texts: {}, turns: [] };

export function createMakingsStore(chats: Pick<Chats, 'folder'>, storage: Storage): MakingsStore {
  const fileOf = (chatId: string): string => join(chats.folder(chatId), 'makings.json');
  const read = async (chatId: string): Promise<KeptFile> => (await storage.readJson(fileOf(chatId), isKeptFile)) ?? none;

  return {
    async write(chatId, turnId, { pieces, steps }) {
      // A chat that is gone meanwhile is not made again.
      if (!(await storage.has(chats.folder(chatId)))) return;
      const texts = new Map(pieces.map(({ text }) => [keyOf(text), text]));
      const ofText = new Map([...texts].map(([of, text]) => [text, of]));
      const turn: KeptTurn = { turnId, steps, pieces: pieces.map(({ text, ...piece }) => ({ ...piece, of: ofText.get(text) ?? '' })) };
      const edit = (file: KeptFile = none): KeptFile =>
        bounded([...file.turns.filter((one) => one.turnId !== turnId), turn], { ...file.texts, ...Object.fromEntries(texts) });
      await storage.updateJson(fileOf(chatId), edit, { shape: isKeptFile });
    },
    async read(chatId) {
      const { turns, texts } = await read(chatId);
      return new Map(
        turns.map(({ turnId, steps, pieces }) => [turnId, { steps, pieces: pieces.map(({ of, ...piece }) => ({ ...piece, text: texts[of] ?? '' })) }]),
      );
    },
    async rewrite(chatId, textOf) {
      if (!(await storage.has(fileOf(chatId)))) return;
      const edit = (file: KeptFile = none): KeptFile => {
        const texts = new Map<string, string>();
        const turns = file.turns.map((turn) => ({
          ...turn,
          pieces: turn.pieces.map(({ of, ...piece }) => {
            const text = textOf({ ...piece, text: file.texts[of] ?? '' });
            const key = keyOf(text);
            texts.set(key, text);
            return { ...piece, of: key };
          }),
        }));
        return bounded(turns, Object.fromEntries(texts));
      };
      await storage.updateJson(fileOf(chatId), edit, { shape: isKeptFile });
    },
    async copy(from, to, turns) {
      const file = await read(from);
      const kept = bounded(
        file.turns.filter(({ turnId }) => turns.has(turnId)),
        file.texts,
      );
      if (kept.turns.length > 0) await storage.writeJson(fileOf(to), kept);
    },
  };
}

const keyOf = (text: string): string => sha256(text).slice(0, 20);

/** The oldest turns go, and the texts that no turn has any more. */
function bounded(turns: readonly KeptTurn[], texts: Readonly<Record<string, string>>): KeptFile {
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
  return { version: 1, texts: Object.fromEntries(used), turns: kept };
}

function isKeptFile(value: unknown): value is KeptFile {
  if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['texts']) || !Array.isArray(value['turns'])) return false;
  return value['turns'].every(
    (turn: unknown) => isRecord(turn) && typeof turn['turnId'] === 'string' && Array.isArray(turn['pieces']) && Array.isArray(turn['steps']),
  );
}
