// Flattens a tree of highlighted code into runs with length and class, which are cheap to transfer and render.
import { classOf, codeClasses } from './code-classes.ts';

interface TreeNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly TreeNode[];
}

/** Pairs of a length in UTF-16 code units and an index into {@link codeClasses}; the lengths add up to the length of the text. */
export type Runs = Uint32Array<ArrayBuffer>;

export function flattenTokens(tree: TreeNode): Runs {
  const runs: number[] = [];
  const add = (length: number, kind: number): void => {
    if (length === 0) return;
    if (runs.length > 0 && runs[runs.length - 1] === kind) runs[runs.length - 2] = (runs[runs.length - 2] ?? 0) + length;
    else runs.push(length, kind);
  };
  const walk = (node: TreeNode, around: number): void => {
    if (node.type === 'text') return add(node.value?.length ?? 0, around);
    const kind = kindOf(node) ?? around;
    for (const child of node.children ?? []) walk(child, kind);
  };
  walk(tree, 0);
  return Uint32Array.from(runs);
}

function kindOf({ properties }: TreeNode): number | undefined {
  const names = properties?.className;
  const first: unknown = Array.isArray(names) ? names[0] : undefined;
  return typeof first === 'string' ? classOf(first.replace(/^hljs-/, '')) : undefined;
}

export interface Span {
  readonly text: string;
  /** Class in {@link codeClasses}; empty for plain text. */
  readonly kind: string;
}

/** Several lines of code that are rerendered together. */
export interface Chunk {
  readonly text: string;
  readonly spans: readonly Span[];
}

const linesOfChunk = 40;

/** Splits code into chunks of lines; text after the end of `runs` is plain. A chunk that equals one in `before` is the same object. */
export function toChunks(text: string, runs: Runs | undefined, before: readonly Chunk[]): Chunk[] {
  const take = createReader(runs);
  return linePieces(text).map((piece, index) => {
    const spans = take(piece);
    const old = before[index];
    return old && old.text === piece && isSame(old.spans, spans) ? old : { text: piece, spans };
  });
}

function linePieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = start - 1;
    for (let line = 0; line < linesOfChunk && end !== text.length; line++) {
      const next = text.indexOf('\n', end + 1);
      end = next === -1 ? text.length : next;
    }
    pieces.push(text.slice(start, end + 1));
    start = end + 1;
  }
  return pieces;
}

/** Returns a function that reads the spans of the next part of the text. */
function createReader(runs: Runs | undefined): (piece: string) => Span[] {
  let at = 0;
  let used = 0;
  return (piece) => {
    const spans: Span[] = [];
    let from = 0;
    while (from < piece.length) {
      const length = runs?.[at];
      if (length === undefined) {
        spans.push({ text: piece.slice(from), kind: '' });
        break;
      }
      const count = Math.min(length - used, piece.length - from);
      spans.push({ text: piece.slice(from, from + count), kind: codeClasses[runs?.[at + 1] ?? 0] ?? '' });
      from += count;
      used += count;
      if (used < length) continue;
      at += 2;
      used = 0;
    }
    return spans;
  };
}

function isSame(a: readonly Span[], b: readonly Span[]): boolean {
  return a.length === b.length && a.every((span, index) => span.kind === b[index]?.kind && span.text === b[index]?.text);
}
