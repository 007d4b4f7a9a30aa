// Groups sentences into segments for an engine: a short first one to start soon, longer ones afterwards.
import type { SpokenSentence } from './sentence-buffer.ts';

export interface SegmentPacker {
  add(sentences: readonly SpokenSentence[]): void;
  /** Returns the next segment of the available text. */
  take(): SpokenSentence | undefined;
  readonly isEmpty: boolean;
}

/** Length in UTF-16 code units. */
export const longestFirst = 120;
export const longestLater = 400;
/** Preferred positions for splitting a long sentence: after a clause, otherwise between words. */
const clause = /[,;:\u2013\u2014\u3001\uff0c\uff1b)](?=\s)\s*|[\u3001\uff0c\uff1b]/gu;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** @param isShort makes the first segment short */
export function createSegmentPacker(isShort = true): SegmentPacker {
  const waiting: SpokenSentence[] = [];
  let at = 0;
  let isFirst = isShort;

  function next(room: number): SpokenSentence | undefined {
    const sentence = waiting[at];
    if (sentence === undefined || sentence.text.length <= room) {
      at++;
      return sentence;
    }
    return undefined;
  }

  function forget(): void {
    // Shifts in steps, as moving a long queue for each sentence would be slow.
    if (at < 256 && at < waiting.length) return;
    waiting.splice(0, at);
    at = 0;
  }

  return {
    add: (sentences) => void waiting.push(...sentences),
    take() {
      const head = waiting[at];
      if (!head) return undefined;
      const longest = isFirst ? longestFirst : longestLater;
      isFirst = false;
      if (head.text.length > longest) {
        const cut = cutBefore(head.text, longest);
        waiting[at] = { text: head.text.slice(cut).trimStart(), end: head.end };
        return { text: head.text.slice(0, cut).trimEnd(), end: head.end };
      }
      let text = '';
      let end = head.end;
      for (let one = next(longest); one; one = next(longest - text.length - 1)) {
        text = text === '' ? one.text : `${text} ${one.text}`;
        end = one.end;
      }
      forget();
      return { text, end };
    },
    get isEmpty() {
      return at >= waiting.length;
    },
  };
}

/** Returns where to split a text longer than `longest`, preferably in its second half. */
function cutBefore(text: string, longest: number): number {
  const start = text.slice(0, longest + 1);
  const clauses = [...start.matchAll(clause)].map((match) => match.index + match[0].length).filter((end) => end <= longest);
  const behindClause = clauses.at(-1);
  if (behindClause !== undefined && behindClause > longest / 3) return behindClause;
  let cut = 0;
  for (const { index } of words.segment(start)) if (index <= longest) cut = index;
  return cut > 0 ? cut : longest;
}

/** Packs a complete text into segments. */
export function packAll(sentences: readonly SpokenSentence[]): SpokenSentence[] {
  const packer = createSegmentPacker();
  packer.add(sentences);
  const segments: SpokenSentence[] = [];
  for (let segment = packer.take(); segment; segment = packer.take()) segments.push(segment);
  return segments;
}
