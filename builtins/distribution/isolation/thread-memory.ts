// Ends a plugin in a thread that takes memory outside of its heap, where no limit of the system tells threads apart.
import type { Disposable } from 'agent-harness/kernel';

/** What a thread tells of itself, in memory that it shares with the server: a number that grows as long as its loop turns, and kilobytes outside of its heap. */
export const threadWords = { beat: 0, outsideKb: 1, length: 2 } as const;
/** How often it does, and how often the server looks, in milliseconds. */
export const threadEveryMs = 100;

export interface WatchedThread {
  readonly words: Int32Array;
  /** So much it may take outside of its heap. */
  readonly mostMb: number;
  /** Milliseconds in which it computed. */
  activeMs(): number;
  end(why: string): void;
}

export interface ThreadInMemory extends Disposable {
  /** What the program's memory grew by while its loop did not turn, where that is more than others take meanwhile. */
  readonly growth: string | undefined;
}

export interface ThreadMemory {
  /** Until the answer is disposed. */
  watch(thread: WatchedThread): ThreadInMemory;
}

interface Watched extends WatchedThread {
  beat: number;
  active: number;
  /** Of the process, when its loop turned the last time. */
  before: number;
}

const megabyte = 1_048_576;
/** What else a program takes and gives back meanwhile. */
const roomMb = 128;

/** @param rss of the process, in bytes */
export function createThreadMemory(rss = (): number => process.memoryUsage.rss()): ThreadMemory {
  const threads = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;

  function look(): void {
    const bytes = rss();
    // What the server took while it computed itself is nobody's.
    const wasLate = performance.now() - lookedAt > 5 * threadEveryMs;
    lookedAt = performance.now();
    const silent = [...threads].filter((thread) => {
      if (!isStill(thread) || wasLate) thread.before = bytes;
      return thread.before !== bytes;
    });
    for (const thread of [...threads]) {
      const outsideMb = (thread.words[threadWords.outsideKb] ?? 0) / 1_024;
      if (outsideMb > thread.mostMb) thread.end(`it took ${Math.round(outsideMb)} MB outside of its heap, and may take ${thread.mostMb}`);
    }
    // Where several do not answer: who has taken the most since it did, and the next one if the memory still grows.
    const worst = silent.sort((left, right) => left.before - right.before)[0];
    const grownMb = worst ? (bytes - worst.before) / megabyte : 0;
    if (!worst || grownMb <= worst.mostMb + roomMb) return;
    for (const thread of threads) thread.before = bytes;
    worst.end(saidOf(worst, grownMb));
  }

  /** Its loop has not turned since the last look, and it computed for most of the time. */
  function isStill(thread: Watched): boolean {
    const [beat, active] = [thread.words[threadWords.beat] ?? 0, thread.activeMs()];
    const isSo = beat === thread.beat && active - thread.active > threadEveryMs / 2;
    Object.assign(thread, { beat, active });
    return isSo;
  }

  return {
    watch(thread) {
      const watched: Watched = { ...thread, beat: -1, active: 0, before: rss() };
      threads.add(watched);
      lookedAt = performance.now();
      timer ??= setInterval(look, threadEveryMs).unref();
      return {
        get growth() {
          const grownMb = (rss() - watched.before) / megabyte;
          return grownMb > roomMb ? saidOf(watched, grownMb) : undefined;
        },
        dispose() {
          threads.delete(watched);
          if (threads.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}

/** As the end of a sentence. */
function saidOf({ mostMb }: WatchedThread, grownMb: number): string {
  return `the program's memory grew by ${Math.round(grownMb)} MB while it computed, and it may take ${mostMb} outside of its heap`;
}
