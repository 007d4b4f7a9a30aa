// A unified diff of one file, hunk by hunk. Pure.

export interface Hunk {
  /** A diff with this hunk alone. */
  readonly diff: string;
  /** Where it begins in what is there now, from 1. */
  readonly line: number;
}

export function hunksOf(diff: string): Hunk[] {
  const [head = '', ...parts] = diff.split(/^(?=@@ -\d)/m);
  return parts.map((part) => ({ diff: `${head}${part.trimEnd()}`, line: Number(/\+(\d+)/.exec(part)?.[1] ?? 0) }));
}
