// Ranks notes by meaning, using vectors from the provider's embeddings route. Vectors are computed in the background and stored in the home folder.
import { withLimit } from '#lib/async';
import { sha256 } from '#lib/hash';
import type { StoredNote } from '../contract.ts';
import type { Vector, VectorFile } from './vector-file.ts';
import { createTop } from './ranking.ts';

export interface EmbedRequest {
  readonly baseURL: string;
  readonly apiKey?: string;
  readonly model: string;
  readonly input: readonly string[];
}

export interface EmbeddingParts {
  /** Returns the name of the current model; an empty string means that embeddings are off. */
  model(): string;
  /** Returns the target of requests; `undefined` without a provider. */
  route(): { readonly baseURL: string; readonly apiKey?: string } | undefined;
  /** Returns one vector per input. */
  request(request: EmbedRequest, signal: AbortSignal): Promise<number[][]>;
  readonly vectors: VectorFile;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
  warn(message: string): void;
}

export interface NearSource<T> {
  readonly notes: ReadonlyMap<string, StoredNote>;
  find(id: string): { readonly item: T } | undefined;
}

export interface Embeddings {
  isOn(): boolean;
  /** Returns the notes, nearest first, without those that have no vector yet; `undefined` if no result was available in time. Contract: never rejects. */
  order<T>(query: string, sources: readonly NearSource<T>[], options: { readonly limit: number; readonly waitMs: number }): Promise<T[] | undefined>;
  /** Resolves when no work is running. */
  close(): Promise<void>;
}

/** Maximum number of notes that are compared, newest first; more would slow down each query. */
const maxCompared = 10_000;
/** Maximum length of the text of a note that is embedded, in UTF-16 code units. */
const maxText = 4_000;
const batch = 64;
/** Time limit of a request in milliseconds. */
const requestMs = 15_000;
const pauseAfterFaultMs = 60_000;
const keptQueries = 50;

export function createEmbeddings(parts: EmbeddingParts): Embeddings {
  const keys = new WeakMap<StoredNote, { readonly model: string; readonly key: string }>();
  const queries = new Map<string, Vector>();
  let filling: Promise<void> | undefined;
  let pausedUntil = 0;
  let hasWarned = false;

  function keyOf(id: string, note: StoredNote, model: string): string {
    const known = keys.get(note);
    if (known?.model === model) return known.key;
    const key = keyFor(model, textOf(id, note));
    keys.set(note, { model, key });
    return key;
  }

  /** Requests vectors; resolves with `undefined` if embeddings are disabled, or if a request has failed recently. */
  async function embed(input: readonly string[], model: string): Promise<number[][] | undefined> {
    const route = parts.route();
    if (!route || performance.now() < pausedUntil) return undefined;
    try {
      return await parts.request({ ...route, model, input }, AbortSignal.any([parts.signal, AbortSignal.timeout(requestMs)]));
    } catch (fault) {
      pausedUntil = performance.now() + pauseAfterFaultMs;
      if (!hasWarned && !parts.signal.aborted)
        parts.warn(`embeddings of '${model}' are not available, so notes are found only by their words: ${String(fault)}`);
      hasWarned = true;
      return undefined;
    }
  }

  async function vectorOf(query: string, model: string): Promise<Vector | undefined> {
    const key = keyFor(model, query);
    const known = queries.get(key) ?? parts.vectors.get(key);
    if (known) return known;
    const [values] = (await embed([query.slice(0, maxText)], model)) ?? [];
    if (!values) return undefined;
    const vector = parts.vectors.pack(values);
    queries.set(key, vector);
    for (const old of queries.keys()) {
      if (queries.size <= keptQueries) break;
      queries.delete(old);
    }
    return vector;
  }

  async function fill(missing: ReadonlyMap<string, string>, model: string): Promise<void> {
    const rows = [...missing];
    for (let at = 0; at < rows.length && !parts.signal.aborted; at += batch) {
      const some = rows.slice(at, at + batch);
      const made = await embed(
        some.map(([, text]) => text),
        model,
      );
      if (made?.length !== some.length) return;
      await parts.vectors.add(some.map(([key], place) => [key, parts.vectors.pack(made[place] ?? [])]));
    }
  }

  async function compare<T>(query: string, sources: readonly NearSource<T>[], limit: number): Promise<T[] | undefined> {
    const model = parts.model();
    await parts.vectors.load();
    const candidates = newest(sources);
    const missing = new Map<string, string>();
    for (const { id, note } of candidates) {
      const key = keyOf(id, note, model);
      if (!parts.vectors.has(key)) missing.set(key, textOf(id, note));
    }
    if (missing.size > 0) filling ??= fill(missing, model).finally(() => (filling = undefined));
    const [asked] = await Promise.all([vectorOf(query, model), filling]);
    if (!asked) return undefined;
    const top = createTop<T>(limit);
    for (const { id, note, source } of candidates) {
      const vector = parts.vectors.get(keyOf(id, note, model));
      const found = vector && vector.values.length === asked.values.length ? source.find(id) : undefined;
      if (found && vector) top.offer(nearness(asked, vector), found.item);
    }
    return top.items().map(({ item }) => item);
  }

  return {
    isOn: () => parts.model() !== '' && parts.route() !== undefined,
    async order(query, sources, { limit, waitMs }) {
      try {
        return await withLimit(compare(query, sources, limit), waitMs, () => undefined);
      } catch (fault) {
        parts.warn(`the stored embeddings of notes cannot be used: ${String(fault)}`);
        return undefined;
      }
    },
    close: async () => {
      await filling?.catch(() => undefined);
    },
  };
}

function newest<T>(sources: readonly NearSource<T>[]): { readonly id: string; readonly note: StoredNote; readonly source: NearSource<T> }[] {
  const rows = sources.flatMap((source) =>
    [...source.notes].flatMap(([id, note]) => (note.deletedAt === undefined && !note.isPending ? [{ id, note, source }] : [])),
  );
  if (rows.length <= maxCompared) return rows;
  return rows.sort((one, other) => (one.note.updatedAt < other.note.updatedAt ? 1 : -1)).slice(0, maxCompared);
}

function textOf(id: string, note: StoredNote): string {
  return `${id}\n${note.value}`.slice(0, maxText);
}

function keyFor(model: string, text: string): string {
  return sha256(`${model}\n${text}`);
}

/** Returns the cosine similarity of two vectors. */
function nearness(one: Vector, other: Vector): number {
  let sum = 0;
  for (let at = 0; at < one.values.length; at++) sum += (one.values[at] ?? 0) * (other.values[at] ?? 0);
  return sum / (one.length * other.length || 1);
}
