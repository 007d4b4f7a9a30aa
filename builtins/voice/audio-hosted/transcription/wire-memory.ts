// Stores, across restarts, which request format each address accepted.
import { isRecord } from '#lib/values';
import { messageOf } from '#lib/errors';
import type { Storage } from 'agent-harness/plugins/storage';
import type { TranscriptionWire } from './wire-forms.ts';

export interface WireMemory {
  of(baseURL: string): Promise<TranscriptionWire | undefined>;
  /** Contract: never rejects; an entry that cannot be written is determined again later. */
  learn(baseURL: string, wire: TranscriptionWire): Promise<void>;
}

type WireFile = Readonly<Record<string, TranscriptionWire>>;

/** Maximum number of addresses; beyond it, the oldest entry is dropped. */
const mostAddresses = 32;

export function createWireMemory(path: string, storage: Pick<Storage, 'readJson' | 'updateJson'>, warn: (message: string) => void): WireMemory {
  let known: Promise<Map<string, TranscriptionWire>> | undefined;
  const read = async (): Promise<Map<string, TranscriptionWire>> =>
    new Map(Object.entries((await storage.readJson<WireFile>(path, isFile).catch(() => undefined)) ?? {}));

  return {
    of: async (baseURL) => (await (known ??= read())).get(baseURL),
    async learn(baseURL, wire) {
      const map = await (known ??= read());
      if (map.get(baseURL) === wire) return;
      map.set(baseURL, wire);
      const change = (file: WireFile = {}): WireFile => {
        const others = Object.entries(file).filter(([other]) => other !== baseURL);
        return Object.fromEntries([...others, [baseURL, wire] as const].slice(-mostAddresses));
      };
      await storage
        .updateJson<WireFile>(path, change, { shape: isFile })
        .catch((fault: unknown) => warn(`the request format that ${baseURL} accepts could not be stored: ${messageOf(fault)}`));
    },
  };
}

function isFile(value: unknown): value is WireFile {
  return isRecord(value) && Object.values(value).every((wire) => wire === 'multipart' || wire === 'json');
}
