// What was learned of how much the models take in one request, by endpoint and model; what providers told is there after a restart.
import { createSerialQueue } from 'agent-harness/lib/async';
import { BoundedMap, isRecord } from 'agent-harness/lib/values';
import { messageOf } from 'agent-harness/lib/errors';
import type { Storage } from 'agent-harness/plugins/storage';
import type { ModelRoute } from './contract.ts';

export interface Windows {
  of(route: ModelRoute): Promise<number | undefined>;
  /** The newest word counts: an endpoint may get more room. Keeps it for the next start. */
  learn(route: ModelRoute, tokens: number): void;
  /** Counts until the process ends. */
  guess(route: ModelRoute, tokens: number): void;
  /** Resolves when what was learned is on the disk, or could not be written. */
  flushed(): Promise<void>;
}

export interface WindowsParts {
  readonly path: string;
  readonly storage: Pick<Storage, 'readJson' | 'updateJson'>;
  warn(message: string): void;
}

interface Learned {
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

type WindowsFile = Readonly<Record<string, Learned>>;

/** Beyond it the oldest is forgotten. */
const limit = 1_000;
/** Nobody says that there is more room now; after that long a request of the old length is tried again. */
const keptMs = 7 * 24 * 60 * 60 * 1_000;

export function createWindows({ path, storage, warn }: WindowsParts): Windows {
  const known = new BoundedMap<string, number>(limit);
  const keyOf = ({ baseURL, model }: ModelRoute): string => `${baseURL} ${model}`;
  let reading: Promise<void> | undefined;
  const writing = createSerialQueue();

  async function read(): Promise<void> {
    const file = await storage.readJson<WindowsFile>(path, isFile).catch(() => undefined);
    for (const [key, { tokens }] of Object.entries(recent(file))) if (!known.has(key)) known.set(key, tokens);
  }

  function set(route: ModelRoute, tokens: number): void {
    known.set(keyOf(route), tokens);
  }

  return {
    async of(route) {
      await (reading ??= read());
      return known.get(keyOf(route));
    },
    learn(route, tokens) {
      const learned = { tokens: Math.floor(tokens), at: Date.now() };
      set(route, learned.tokens);
      const write = (): Promise<unknown> =>
        storage.updateJson<WindowsFile>(path, (file) => newest({ ...recent(file), [keyOf(route)]: learned }), { shape: isFile });
      writing.run(write).catch((fault: unknown) => warn(`how much ${route.model} takes could not be kept: ${messageOf(fault)}`));
    },
    guess: (route, tokens) => set(route, Math.floor(tokens)),
    flushed: writing.idle,
  };
}

function recent(file: WindowsFile = {}): WindowsFile {
  const now = Date.now();
  return Object.fromEntries(Object.entries(file).filter(([, { at }]) => at <= now && now - at < keptMs));
}

function newest(file: WindowsFile): WindowsFile {
  return Object.fromEntries(
    Object.entries(file)
      .sort(([, one], [, other]) => other.at - one.at)
      .slice(0, limit),
  );
}

function isFile(value: unknown): value is WindowsFile {
  if (!isRecord(value)) return false;
  return Object.values(value).every((one) => isRecord(one) && Number.isSafeInteger(one['tokens']) && typeof one['at'] === 'number');
}
