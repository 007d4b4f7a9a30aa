// The thread that searches lines of files.
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { textFormOf, type TextForm } from '../documents/text-form.ts';

export interface LineSearch {
  /** Of the regular expression. */
  readonly source: string;
  readonly flags: string;
  /** Finds something in each text of which a line matches; left out where nothing is known. */
  readonly required?: string | undefined;
  /** Lines before and after a hit. */
  readonly context: number;
  readonly maxHits: number;
  /** UTF-16 units. */
  readonly maxShownLine: number;
  /** One file that was asked for by its name. */
  readonly isNamed: boolean;
  /** Files that stand at other paths as well are searched too. */
  readonly mayHaveOtherNames: boolean;
}

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** Some of the files, in the order in which they were told; `first` is the place of the first one among all. */
export interface ThreadWork {
  readonly first: number;
  readonly paths: readonly string[];
}

/** Files go by their place among all. */
export type ThreadMessage =
  | { readonly kind: 'hits'; readonly index: number; readonly lines: readonly FoundLine[] }
  | { readonly kind: 'end'; readonly first: number; readonly hits: number; readonly skipped: readonly number[]; readonly linked: readonly number[] };

export interface ThreadTask extends LineSearch {
  /** The system tells the path of a descriptor. */
  readonly tellsPaths: boolean;
  /** Two numbers that both threads see: the place of the file that is being searched, or -1, and how many pieces of it were. */
  readonly progress: Int32Array;
}

function serve(task: ThreadTask): void {
  const expression = new RegExp(task.source, task.flags);
  const required = task.required === undefined ? undefined : new RegExp(task.required, task.flags);
  const maxFileBytes = 2 * 1024 * 1024;
  const chunkBytes = 4 * 1024 * 1024;
  const pieceBytes = 256 * 1024;
  const sampleBytes = 8192;
  const newline = 10;
  const maxMatchedLine = 10_000;
  const longLineBytes = 8 * maxMatchedLine;
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  /** Of each file one piece after the other. */
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let hits = 0;

  const say = (message: ThreadMessage): void => parentPort?.postMessage(message);

  /** Whether this is what stands at the path, and not what a link that was put on the way leads to. */
  const isExactly = (path: string, file: number, stats: Stats): boolean => {
    if (task.tellsPaths) return readlinkSync(`/proc/self/fd/${file}`) === path;
    const there = lstatSync(path);
    return there.ino === stats.ino && there.dev === stats.dev && realpathSync.native(path) === path;
  };

  /** The lines, or why the file was not searched. */
  const search = (path: string): readonly FoundLine[] | 'skipped' | 'linked' => {
    let file: number | undefined;
    const before = hits;
    try {
      file = openSync(path, flags);
      const stats = fstatSync(file);
      const found = searchOpened(file, stats);
      if (found.length === 0 || isExactly(path, file, stats)) return found;
      // Of a file that somebody put in its place nothing is told, not even whether anything was found.
      hits = before;
      return [];
    } catch {
      return 'skipped'; // gone meanwhile, or not ours to read
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };

  const searchOpened = (file: number, stats: Stats): readonly FoundLine[] | 'skipped' | 'linked' => {
    // A file that was named is searched whatever its size.
    if (!stats.isFile() || (stats.size > maxFileBytes && !task.isNamed)) return 'skipped';
    if (stats.nlink > 1 && !task.mayHaveOtherNames) return 'linked';
    const { size } = stats;
    const read = size === 0 ? 0 : readSync(file, chunk, 0, Math.min(size, chunkBytes), 0);
    const start = chunk.subarray(0, read);
    if (read >= size && hasNothing(start)) return [];
    const form = textFormOf(start, read < size);
    if (!form) return 'skipped';
    return form.encoding.startsWith('utf-16') ? searchDecoded(file, size, read, form) : searchBytes(file, size, read, form);
  };

  /** Cut at the ends of lines, so that lines that cannot match are counted without being decoded. */
  const searchBytes = (file: number, size: number, firstRead: number, form: TextForm): readonly FoundLine[] => {
    // Where a mark cannot be, node takes a `ÿ` at the beginning for one.
    const decoder = new TextDecoder(form.encoding, { ignoreBOM: form.encoding !== 'windows-1252' });
    const scan = scanLines();
    let [start, end, read, position] = [form.mark, firstRead, firstRead, firstRead];
    for (;;) {
      const isLast = read === 0 || position >= size;
      const bytes = chunk.subarray(0, isLast ? end : chunk.subarray(0, end).lastIndexOf(newline) + 1);
      while (start < bytes.length && hits < task.maxHits) {
        const near = bytes.indexOf(newline, start + pieceBytes);
        const piece = bytes.subarray(start, near === -1 ? bytes.length : near + 1);
        if (task.context === 0 && required?.test(piece.toString('latin1')) === false) scan.pass(countLines(piece));
        else scan.take(linesOf(decoder.decode(piece)), false);
        start += piece.length;
      }
      if (isLast) scan.take([], true);
      if (isLast || hits >= task.maxHits) return scan.found();
      const from = Math.max(start, bytes.length);
      // A line that never ends is matched by its beginning only.
      const kept = end - from > chunkBytes / 2 ? longLineBytes : end - from;
      chunk.copyWithin(0, from, from + kept);
      Atomics.add(task.progress, 1, 1);
      read = readSync(file, chunk, kept, chunkBytes - kept, position);
      [start, end, position] = [0, kept + read, position + read];
    }
  };

  const linesOf = (text: string): string[] => {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines;
  };

  const countLines = (bytes: Buffer): number => {
    let count = bytes.at(-1) === newline ? 0 : 1;
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++;
    return count;
  };

  const searchDecoded = (file: number, size: number, firstRead: number, form: TextForm): readonly FoundLine[] => {
    let read = firstRead;
    const decoder = new TextDecoder(form.encoding, { ignoreBOM: true });
    const scan = scanLines();
    let rest = '';
    for (let position = 0; ;) {
      const isFirst = position === 0;
      position += read;
      const isLast = read === 0 || position >= size;
      const text = rest + decoder.decode(chunk.subarray(isFirst ? form.mark : 0, read), { stream: !isLast });
      const lines = text.split('\n');
      rest = isLast ? '' : (lines.pop() ?? '');
      if (isLast && lines.at(-1) === '') lines.pop();
      // A line that never ends is matched by its beginning only.
      if (rest.length > chunkBytes) rest = rest.slice(0, maxMatchedLine);
      scan.take(lines, isLast);
      if (isLast || hits >= task.maxHits) break;
      Atomics.add(task.progress, 1, 1);
      read = readSync(file, chunk, 0, chunkBytes, position);
    }
    return scan.found();
  };

  /** Told by the bytes alone, of a text in which ASCII stands for itself: any but UTF-16. */
  const hasNothing = (bytes: Buffer): boolean => {
    const first = bytes[0];
    if (!required || first === 0xff || first === 0xfe || bytes.subarray(0, sampleBytes).includes(0)) return false;
    return !required.test(bytes.toString('latin1'));
  };

  const shorten = (line: string): string => {
    if (line.length <= task.maxShownLine) return line;
    const found = expression.exec(line.slice(0, maxMatchedLine))?.index ?? 0;
    const from = Math.max(0, found - Math.floor(task.maxShownLine / 4));
    return `${from > 0 ? '…' : ''}${line.slice(from, from + task.maxShownLine)}…`;
  };

  /** Takes lines piece by piece; those around a hit may come before and after it. */
  const scanLines = () => {
    const chosen = new Map<number, FoundLine>();
    let lines: readonly string[] = [];
    let dropped = 0;
    let done = 0;
    const isHit = (line: string): boolean =>
      expression.test(line.length > maxMatchedLine ? line.slice(0, maxMatchedLine) : line.endsWith('\r') ? line.slice(0, -1) : line);
    return {
      take(more: readonly string[], isLast: boolean): void {
        lines = lines.length === 0 ? more : lines.concat(more);
        const end = isLast ? lines.length : lines.length - task.context;
        for (; done < end && hits < task.maxHits; done++) {
          if (!isHit(lines[done] ?? '')) continue;
          hits++;
          for (let near = Math.max(0, done - task.context); near <= Math.min(lines.length - 1, done + task.context); near++) {
            const number = dropped + near + 1;
            const text = shorten((lines[near] ?? '').replace(/\r$/, ''));
            chosen.set(number, { number, text, isHit: near === done || chosen.get(number)?.isHit === true });
          }
        }
        const old = Math.max(0, done - task.context);
        lines = lines.slice(old);
        dropped += old;
        done -= old;
      },
      /** So many lines that do not match; nothing may wait for what is around a hit. */
      pass: (count: number): void => void (dropped += count),
      found: () => [...chosen.values()],
    };
  };

  parentPort?.on('message', ({ first, paths }: ThreadWork) => {
    const skipped: number[] = [];
    const linked: number[] = [];
    hits = 0;
    for (const [index, path] of paths.entries()) {
      Atomics.store(task.progress, 0, first + index);
      const found = search(path);
      if (found === 'skipped') skipped.push(first + index);
      else if (found === 'linked') linked.push(first + index);
      else if (found.length > 0) say({ kind: 'hits', index: first + index, lines: found });
      if (hits >= task.maxHits) break;
    }
    Atomics.store(task.progress, 0, -1);
    say({ kind: 'end', first, hits, skipped, linked });
  });
}

serve(workerData as ThreadTask);
