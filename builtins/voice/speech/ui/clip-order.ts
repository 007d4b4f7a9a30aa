// Determines the next clip to play: each clip once, in the order of the text, whatever the order of arrival. Pure.

export interface SpokenClip {
  readonly chatId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly url: string;
  readonly text: string;
}

export interface ClipOrder {
  /** Returns whether the clip belongs to the current epoch; ignores duplicates. */
  add(clip: SpokenClip): boolean;
  /** Returns the next clip if it is available; with `isLate`, skips missing clips. */
  next(isLate?: boolean): SpokenClip | undefined;
  /** Skips a part that never arrives. */
  skip(place: Pick<SpokenClip, 'epoch' | 'seq'>): void;
  /** Whether a clip is waiting for an earlier one. */
  readonly hasGap: boolean;
  /** First waiting clip. */
  readonly first: SpokenClip | undefined;
  /** Drops the epoch, and rejects clips of this and older epochs from now on. */
  drop(epoch: number): void;
  clear(): void;
}

export function createClipOrder(firstSeq = 0): ClipOrder {
  let epoch = -1;
  let due = firstSeq;
  let waiting = new Map<number, SpokenClip>();
  const skipped = new Set<number>();

  function begin(next: number): void {
    epoch = next;
    due = firstSeq;
    waiting = new Map();
    skipped.clear();
  }

  function pass(): void {
    while (skipped.delete(due)) due++;
  }

  return {
    add(clip) {
      if (clip.epoch < epoch) return false;
      if (clip.epoch > epoch) begin(clip.epoch);
      if (clip.seq < due || waiting.has(clip.seq)) return false;
      waiting.set(clip.seq, clip);
      return true;
    },
    next(isLate = false) {
      const seq = isLate && waiting.size > 0 ? Math.min(...waiting.keys()) : due;
      const found = waiting.get(seq);
      if (!found) return undefined;
      waiting.delete(seq);
      due = seq + 1;
      pass();
      return found;
    },
    skip({ epoch: of, seq }) {
      if (of < epoch) return;
      if (of > epoch) begin(of);
      skipped.add(seq);
      pass();
    },
    get hasGap() {
      return waiting.size > 0 && !waiting.has(due);
    },
    get first() {
      return waiting.size > 0 ? waiting.get(Math.min(...waiting.keys())) : undefined;
    },
    drop(older) {
      if (older >= epoch) begin(older + 1);
    },
    clear: () => waiting.clear(),
  };
}
