// Creates the clip of a text part with an engine, or finds an existing clip. Simultaneous requests for the same text share the clip.
import { sha256 } from '#lib/hash';
import type { AudioEngines, EngineInUse } from 'agent-harness/builtins/voice/audio-engines';
import type { Storage } from 'agent-harness/plugins/storage';
import type { MakeError } from '../errors.ts';
import { createWorkPool } from './work-pool.ts';
import type { ClipStore } from './clip-store.ts';
import { createGrowingClip, type GrowingClip } from './growing-clip.ts';
import { secondsOf, withLengths } from './sound-length.ts';

export interface ClipWish {
  readonly chatId: string;
  readonly turnId?: string;
  readonly text: string;
  readonly voice: string;
}

export interface MadeClip {
  readonly durationSec: number | null;
  /** Cost in USD; 0 for an existing clip, `null` if unknown. */
  readonly cost: number | null;
}

export interface Clip {
  readonly clipId: string;
  readonly url: string;
  readonly text: string;
  /** Whether the clip existed already. */
  readonly isCached: boolean;
  /** Resolves when the first audio is available, with the information known by then. Rejects as `made` does. */
  readonly begun: Promise<{ readonly durationSec: number | null }>;
  /** Resolves when the clip is complete and stored. */
  readonly made: Promise<MadeClip>;
}

export interface ClipMaker {
  /** Rejects if there is no engine. The work is aborted when all callers have aborted. */
  make(wish: ClipWish, signal: AbortSignal): Promise<Clip>;
  /** Prepares the engine for a chat's next text. Contract: never throws. */
  prepare(chatId: string): void;
  /** Returns a clip that is being produced or was produced recently. */
  growing(clipId: string): Promise<GrowingClip> | undefined;
  /** Aborts the production for a chat. */
  end(chatId: string): void;
}

export interface ClipMakerParts {
  readonly engines: () => AudioEngines;
  readonly store: ClipStore;
  readonly storage: Pick<Storage, 'createId'>;
  readonly makeError: MakeError;
  warn(message: string): void;
}

interface Work extends Clip {
  readonly chatId: string;
  readonly growing: Promise<GrowingClip>;
  readonly ending: AbortController;
  users: number;
}

/** Maximum size of a clip in bytes, about ten minutes of speech. */
const mostBytes = 32 * 1024 * 1024;
/** Maximum time before the first chunk of audio, and between two chunks, in milliseconds. */
const longestSilence = 20_000;
/** Maximum number of concurrent engine requests. */
const mostAtOnce = 4;
/** Number of recent clips that are cached in memory for late requests. */
const mostRecent = 8;

export function createClipMaker({ engines, store, storage, makeError, warn }: ClipMakerParts): ClipMaker {
  const workPool = createWorkPool(mostAtOnce);
  const working = new Map<string, Work>();
  const byId = new Map<string, Work>();

  const urlOf = (chatId: string, clipId: string): string => `/api/tts/clip/${clipId}?chatId=${chatId}`;

  /** Returns work that can be shared; aborted work is excluded. */
  function underWay(place: string): Work | undefined {
    const work = working.get(place);
    return work?.ending.signal.aborted === false ? work : undefined;
  }

  function start(wish: ClipWish, key: string, place: string, { info, engine }: EngineInUse<'speech'>): Work {
    const ending = new AbortController();
    const clipId = storage.createId('clip');
    let sound: (clip: GrowingClip) => void = () => undefined;
    let silent: (fault: unknown) => void = () => undefined;
    const growing = new Promise<GrowingClip>((resolve, reject) => ([sound, silent] = [resolve, reject]));

    async function run(): Promise<MadeClip> {
      // Starts only after the caller has recorded the work.
      await Promise.resolve();
      const watch = watchSilence(ending.signal, () => makeError('TOO_SLOW', { engine: info.title, seconds: longestSilence / 1_000 }));
      let clip: GrowingClip | undefined;
      try {
        const { chatId, turnId, text, voice } = wish;
        const caller = { plugin: 'speech', chatId, ...(turnId === undefined ? {} : { turnId }) };
        const spoken = await engine.synthesize({ text, voice, caller }, watch.signal);
        for await (const piece of spoken.audio) {
          watch.signal.throwIfAborted();
          if (piece.byteLength === 0) continue;
          watch.heard();
          clip ??= createGrowingClip(spoken.mimeType);
          clip.add(piece);
          if (clip.size > mostBytes) throw makeError('TOO_MUCH_SOUND', { engine: info.title, limit: mostBytes });
          sound(clip);
        }
        watch.signal.throwIfAborted();
        const content = clip && withLengths(clip.bytes(), clip.mimeType);
        const durationSec = content && clip ? secondsOf(content, clip.mimeType) : 0;
        if (!content || !clip || durationSec === 0) throw makeError('NO_SOUND', { engine: info.title });
        // A failure to store the clip does not matter, because the clip has been played.
        await store
          .save(chatId, { clipId, key, mimeType: clip.mimeType, durationSec }, content)
          .catch((fault: unknown) => warn(`a clip could not be stored: ${String(fault)}`));
        clip.end(content);
        return { durationSec, cost: spoken.cost() };
      } catch (cause) {
        const fault = ending.signal.aborted ? (ending.signal.reason as unknown) : watch.signal.aborted ? (watch.signal.reason as unknown) : cause;
        silent(fault);
        clip?.fail(fault);
        byId.delete(clipId);
        // Aborts an engine that is still sending.
        ending.abort(fault);
        throw fault;
      } finally {
        watch.end();
        if (working.get(place)?.clipId === clipId) working.delete(place);
      }
    }

    const made = workPool.run(run);
    const begun = growing.then(() => ({ durationSec: null }));
    for (const one of [made, begun, growing]) one.catch(() => undefined); // each waiting caller receives the error
    return { clipId, url: urlOf(wish.chatId, clipId), text: wish.text, isCached: false, begun, made, growing, chatId: wish.chatId, ending, users: 0 };
  }

  function join(work: Work, signal: AbortSignal): void {
    work.users++;
    const leave = (): void => {
      if (--work.users === 0) work.ending.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    void work.made.catch(() => undefined).finally(() => signal.removeEventListener('abort', leave));
  }

  function remember(work: Work): void {
    byId.set(work.clipId, work);
    for (const [clipId, old] of byId) {
      if (byId.size <= mostRecent) break;
      if (working.get(clipId) !== old && ![...working.values()].includes(old)) byId.delete(clipId);
    }
  }

  return {
    async make(wish, signal) {
      signal.throwIfAborted();
      const inUse = await engines().engine('speech');
      const key = sha256(JSON.stringify([inUse.info.name, inUse.variant, wish.voice, wish.text])).slice(0, 32);
      const place = `${wish.chatId} ${key}`;
      const kept = underWay(place) ? undefined : await store.find(wish.chatId, key);
      signal.throwIfAborted();
      if (kept) {
        const { clipId, durationSec } = kept;
        const facts = { durationSec, cost: 0 };
        return { clipId, url: urlOf(wish.chatId, clipId), text: wish.text, isCached: true, begun: Promise.resolve(facts), made: Promise.resolve(facts) };
      }
      const work = underWay(place) ?? start(wish, key, place, inUse);
      working.set(place, work);
      remember(work);
      join(work, signal);
      return work;
    },
    prepare(chatId) {
      // Ignores errors here, because the first text reports them.
      engines()
        .engine('speech')
        .catch(() => undefined);
      store.find(chatId, '').catch(() => undefined);
    },
    growing: (clipId) => byId.get(clipId)?.growing,
    end(chatId) {
      for (const [clipId, work] of byId) {
        if (work.chatId !== chatId) continue;
        work.ending.abort(new Error('the chat was deleted'));
        byId.delete(clipId);
      }
    },
  };
}

/** Creates a signal that is aborted with another signal, or when no data arrives for too long. */
function watchSilence(signal: AbortSignal, late: () => Error): { readonly signal: AbortSignal; heard(): void; end(): void } {
  const watch = new AbortController();
  const timer = setTimeout(() => watch.abort(late()), longestSilence);
  const onAbort = (): void => watch.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal: watch.signal,
    heard: () => void timer.refresh(),
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
