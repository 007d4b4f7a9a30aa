// Stores limits of models that were learned from errors, by base URL and model: context window, reply length, rejected request parts, wire format.
import { createSerialQueue } from '#lib/async';
import { BoundedMap, isRecord } from '#lib/values';
import { messageOf } from '#lib/errors';
import type { Storage } from 'agent-harness/plugins/storage';
import type { ModelRoute, RequestPart } from './contract.ts';

export interface ServerLimits {
  /** The context window in tokens, for prompt and reply together. */
  readonly window?: number;
  /** Maximum length of a reply in tokens. */
  readonly reply?: number;
  readonly omit?: readonly RequestPart[];
  /** The wire format that accepts requests for this model, if it is not the default one. */
  readonly wire?: 'chat-completions' | 'messages' | 'responses';
}

export interface LearnedLimits {
  /** Returns the limits; reads the file on first use. Never rejects. */
  of(route: Pick<ModelRoute, 'baseURL' | 'model'>): Promise<ServerLimits>;
  /** Merges new limits: the newest number wins, rejected parts accumulate. Also stores them on disk. */
  learn(route: ModelRoute, limits: ServerLimits): void;
  /** Deletes all limits of a model, in memory and on disk. */
  forget(route: ModelRoute): void;
  /** Sets a context window in memory only, for ten minutes: the rejection may have had another cause, such as a proxy that limits the size of bodies. */
  guessWindow(route: ModelRoute, tokens: number): void;
  /** Resolves when all writes have ended, including failed ones. */
  flushed(): Promise<void>;
}

export interface LearnedLimitsParts {
  readonly path: string;
  readonly storage: Pick<Storage, 'readJson' | 'updateJson'>;
  warn(message: string): void;
}

/** The limits of one model. `at`: time of the last change in milliseconds since 1970. */
type Entry = ServerLimits & { readonly at: number };
type LimitsFile = Readonly<Record<string, Entry>>;

/** Maximum number of entries; the oldest are dropped. */
const limit = 1_000;
/** Lifetime of an entry in milliseconds, limited because an updated server may accept a part that it rejected before. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1_000;
const guessMs = 10 * 60 * 1_000;

export function createLearnedLimits({ path, storage, warn }: LearnedLimitsParts): LearnedLimits {
  const known = new BoundedMap<string, Entry>(limit);
  /** Guessed context windows, in memory only, with the same key. */
  const guessed = new BoundedMap<string, { readonly window: number; readonly at: number }>(limit);
  const keyOf = ({ baseURL, model }: Pick<ModelRoute, 'baseURL' | 'model'>): string => `${baseURL} ${model}`;
  let reading: Promise<void> | undefined;
  const writing = createSerialQueue();

  async function read(): Promise<void> {
    const file = await storage.readJson<LimitsFile>(path, isFile).catch(() => undefined);
    for (const [key, entry] of Object.entries(recent(file))) if (!known.has(key)) known.set(key, entry);
  }

  function write({ model }: ModelRoute, change: (file: LimitsFile) => LimitsFile): void {
    writing
      .run(() => storage.updateJson<LimitsFile>(path, (file) => change(recent(file)), { shape: isFile }))
      .catch((fault: unknown) => warn(`the limits of ${model} could not be stored: ${messageOf(fault)}`));
  }

  return {
    async of(route) {
      await (reading ??= read());
      const entry = known.get(keyOf(route));
      const guess = guessed.get(keyOf(route));
      return { ...(entry && isRecent(entry) ? entry : {}), ...(guess && isRecent(guess, guessMs) ? { window: guess.window } : {}) };
    },
    learn(route, limits) {
      const key = keyOf(route);
      const learned = { ...joined(known.get(key), limits), at: Date.now() };
      known.set(key, learned);
      if (limits.window !== undefined) guessed.delete(key);
      write(route, (file) => newest({ ...file, [key]: learned }));
    },
    forget(route) {
      const key = keyOf(route);
      guessed.delete(key);
      if (known.delete(key)) write(route, ({ [key]: _, ...others }) => others);
    },
    guessWindow(route, tokens) {
      guessed.set(keyOf(route), { window: Math.floor(tokens), at: Date.now() });
    },
    flushed: writing.idle,
  };
}

function joined(old: ServerLimits = {}, more: ServerLimits): ServerLimits {
  const omit = [...new Set([...(old.omit ?? []), ...(more.omit ?? [])])];
  return { ...old, ...more, ...(omit.length > 0 ? { omit } : {}) };
}

function recent(file: LimitsFile = {}): LimitsFile {
  return Object.fromEntries(Object.entries(file).filter(([, entry]) => isRecent(entry)));
}

function isRecent({ at }: Pick<Entry, 'at'>, ageMs = lifetimeMs): boolean {
  const age = Date.now() - at;
  return age >= 0 && age < ageMs;
}

function newest(file: LimitsFile): LimitsFile {
  return Object.fromEntries(
    Object.entries(file)
      .sort(([, one], [, other]) => other.at - one.at)
      .slice(0, limit),
  );
}

function isFile(value: unknown): value is LimitsFile {
  return isRecord(value) && Object.values(value).every(isEntry);
}

function isEntry(value: unknown): boolean {
  if (!isRecord(value) || typeof value['at'] !== 'number') return false;
  const { window, reply, omit, wire } = value;
  const isCount = (count: unknown): boolean => count === undefined || Number.isSafeInteger(count);
  const isParts = omit === undefined || (Array.isArray(omit) && omit.every((part) => typeof part === 'string'));
  return isCount(window) && isCount(reply) && isParts && (wire === undefined || typeof wire === 'string');
}
