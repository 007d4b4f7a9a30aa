// Which models take sound, by endpoint, as the lists of their providers say; known after a restart, so that a chat goes on as it was.
import { createSerialQueue, lazy } from 'agent-harness/lib/async';
import { messageOf } from 'agent-harness/lib/errors';
import { isRecord } from 'agent-harness/lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { ListedModel, ModelRoute } from './contract.ts';

export interface AudioModels {
  /** Asks nobody: what no list said is a no. Never rejects. */
  has(route: ModelRoute): Promise<boolean>;
  /** The newest list of an endpoint counts. Keeps it for the next start. */
  learn(route: ModelRoute, listed: readonly ListedModel[]): void;
  /** Resolves when what was learned is on the disk, or could not be written. */
  flushed(): Promise<void>;
}

export interface AudioModelsParts {
  readonly path: string;
  readonly storage: Pick<Storage, 'readJson' | 'updateJson'>;
  warn(message: string): void;
}

/** Address of an endpoint → ids. */
type AudioFile = Readonly<Record<string, readonly string[]>>;

/** Beyond it, the endpoint whose list is oldest is forgotten. */
const mostEndpoints = 16;

export function createAudioModels({ path, storage, warn }: AudioModelsParts): AudioModels {
  const known = new Map<string, readonly string[]>();
  /** Endpoints that the file has. */
  const kept = new Set<string>();
  const writing = createSerialQueue();

  async function read(): Promise<void> {
    const file = await storage.readJson<AudioFile>(path, isFile).catch(() => undefined);
    for (const [baseURL, ids] of Object.entries(file ?? {})) {
      kept.add(baseURL);
      if (!known.has(baseURL)) known.set(baseURL, ids);
    }
  }

  const load = lazy(() => read());

  async function write(baseURL: string, ids: readonly string[]): Promise<void> {
    await load();
    // Most endpoints have none, and nothing needs to be kept of them.
    if (ids.length === 0 && !kept.has(baseURL)) return;
    kept.add(baseURL);
    await storage.updateJson<AudioFile>(
      path,
      (file = {}) => {
        const others = Object.entries(file).filter(([other]) => other !== baseURL);
        return Object.fromEntries([...others, [baseURL, ids] as const].slice(-mostEndpoints));
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
      writing.run(() => write(baseURL, ids)).catch((fault: unknown) => warn(`which models take sound could not be kept: ${messageOf(fault)}`));
    },
    flushed: writing.idle,
  };
}

function isFile(value: unknown): value is AudioFile {
  return isRecord(value) && Object.values(value).every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'));
}
