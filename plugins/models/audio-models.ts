// Stores which models accept audio, by endpoint, according to the providers' model lists. Persisted, because a chat must continue unchanged after a restart.
import { createSerialQueue, lazy } from '#lib/async';
import { messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { ListedModel, ModelRoute } from './contract.ts';

export interface AudioModels {
  /** Returns whether the model accepts audio; `false` if no stored list contains the model. Sends no request. Never rejects. */
  has(route: ModelRoute): Promise<boolean>;
  /** Replaces the list of an endpoint, also on disk. */
  learn(route: ModelRoute, listed: readonly ListedModel[]): void;
  /** Resolves when all writes have ended, including failed ones. */
  flushed(): Promise<void>;
}

export interface AudioModelsParts {
  readonly path: string;
  readonly storage: Pick<Storage, 'readJson' | 'updateJson'>;
  warn(message: string): void;
}

/** Model ids by base URL of the endpoint. */
type AudioFile = Readonly<Record<string, readonly string[]>>;

/** Maximum number of stored endpoints; the one with the oldest list is dropped. */
const maxEndpoints = 16;

export function createAudioModels({ path, storage, warn }: AudioModelsParts): AudioModels {
  const known = new Map<string, readonly string[]>();
  /** Base URLs of the endpoints that the file contains. */
  const stored = new Set<string>();
  const writing = createSerialQueue();

  async function read(): Promise<void> {
    const file = await storage.readJson<AudioFile>(path, isFile).catch(() => undefined);
    for (const [baseURL, ids] of Object.entries(file ?? {})) {
      stored.add(baseURL);
      if (!known.has(baseURL)) known.set(baseURL, ids);
    }
  }

  const load = lazy(() => read());

  async function write(baseURL: string, ids: readonly string[]): Promise<void> {
    await load();
    // Most endpoints have no such models, and need no entry.
    if (ids.length === 0 && !stored.has(baseURL)) return;
    stored.add(baseURL);
    await storage.updateJson<AudioFile>(
      path,
      (file = {}) => {
        const others = Object.entries(file).filter(([other]) => other !== baseURL);
        return Object.fromEntries([...others, [baseURL, ids] as const].slice(-maxEndpoints));
      },
      { shape: isFile },
    );
  }

  return {
    async has({ baseURL, model }) {
      await load();
      return known.get(baseURL)?.includes(model) ?? false;
    },
    learn({ baseURL }, listed) {
      const ids = listed.filter(({ takesAudio }) => takesAudio).map(({ id }) => id);
      known.set(baseURL, ids);
      writing.run(() => write(baseURL, ids)).catch((fault: unknown) => warn(`the list of models that accept sound could not be saved: ${messageOf(fault)}`));
    },
    flushed: writing.idle,
  };
}

function isFile(value: unknown): value is AudioFile {
  return isRecord(value) && Object.values(value).every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'));
}
