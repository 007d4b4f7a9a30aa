// Requests highlighting from the worker, caches results, and stops highlighting code that is too slow.
import type { Runs } from './flatten-tokens.ts';

export interface HighlightRequest {
  readonly id: number;
  readonly lang: string;
  readonly text: string;
}

/** Without runs, the language is unknown. */
export interface HighlightReply {
  readonly id: number;
  readonly runs?: Runs;
}

/** The used part of a `Worker`. */
export interface WorkerPort {
  postMessage(request: HighlightRequest): void;
  onmessage: ((event: MessageEvent<HighlightReply>) => void) | null;
  terminate(): void;
}

export interface Highlighter {
  /** Returns a cached result. */
  peek(lang: string, text: string): Runs | undefined;
  /** Never rejects; `undefined` if no highlighting is available. */
  ask(lang: string, text: string): Promise<Runs | undefined>;
}

const maxChars = 200_000;
const maxMs = 4_000;
/** Limit of the cache, in characters of code. */
const maxCachedChars = 2_000_000;

interface Waiting extends HighlightRequest {
  readonly resolve: (runs: Runs | undefined) => void;
}

export function createHighlighter(makeWorker: () => WorkerPort): Highlighter {
  const kept = createCache();
  const queue: Waiting[] = [];
  let worker: WorkerPort | undefined;
  let current: { readonly work: Waiting; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  let lastId = 0;

  function next(): void {
    const work = current ? undefined : queue.shift();
    if (!work) return;
    worker ??= startWorker();
    current = { work, timer: setTimeout(giveUp, maxMs) };
    worker.postMessage({ id: work.id, lang: work.lang, text: work.text });
  }

  function startWorker(): WorkerPort {
    const started = makeWorker();
    started.onmessage = ({ data }) => {
      if (data.id === current?.work.id) settle(data.runs);
    };
    return started;
  }

  function settle(runs: Runs | undefined): void {
    if (!current) return;
    const { work, timer } = current;
    clearTimeout(timer);
    current = undefined;
    kept.set(work, runs ?? new Uint32Array());
    work.resolve(runs);
    next();
  }

  function giveUp(): void {
    worker?.terminate();
    worker = undefined;
    settle(undefined);
  }

  return {
    peek: (lang, text) => kept.get({ lang, text }),
    ask(lang, text) {
      const known = kept.get({ lang, text });
      if (known || lang === '' || text.length > maxChars) return Promise.resolve(known);
      return new Promise((resolve) => {
        queue.push({ id: ++lastId, lang, text, resolve });
        next();
      });
    },
  };
}

type CodeText = Pick<HighlightRequest, 'lang' | 'text'>;

/** Creates a cache that drops the oldest entries first. */
function createCache(): { get(of: CodeText): Runs | undefined; set(of: CodeText, runs: Runs): void } {
  const known = new Map<string, Runs>();
  let size = 0;
  const keyOf = ({ lang, text }: CodeText): string => `${lang}\n${text}`;
  return {
    get: (of) => known.get(keyOf(of)),
    set(of, runs) {
      const key = keyOf(of);
      if (!known.has(key)) size += key.length;
      known.set(key, runs);
      for (const old of known.keys()) {
        if (size <= maxCachedChars || old === key) break;
        known.delete(old);
        size -= old.length;
      }
    },
  };
}
