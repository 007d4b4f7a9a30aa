// Applies a patch in the format of the tool `apply_patch`, which GPT models are trained on, to one text.
import { failure } from '#lib/errors';
import { nearestText } from './nearest-text.ts';

/** A change: lines to find below its anchors, and their replacement. */
interface Chunk {
  /** Lines after `@@`, each below the previous one, such as a class followed by a function. */
  readonly anchors: string[];
  readonly before: string[];
  readonly after: string[];
  isAtEnd: boolean;
}

export const isEnvelope = (patch: string): boolean => /^\s*\*\*\* (Begin Patch|Update File:)/.test(patch);

/** @param text text with only `\n` @param path path as given in the call */
export function applyEnvelope(text: string, patch: string, shown: string, path: string): string {
  const chunks = parse(patch, path);
  const hasLastBreak = text.endsWith('\n') || text === '';
  const lines = text === '' ? [] : (hasLastBreak ? text.slice(0, -1) : text).split('\n');
  const out: string[] = [];
  let at = 0;
  for (const [index, chunk] of chunks.entries()) {
    let from = at;
    for (const anchor of chunk.anchors) {
      const found = find(lines, [anchor], from, false);
      if (found === -1) throw doesNotFit(text, [anchor], index, chunks.length, shown);
      from = found + 1;
    }
    const isInsertion = chunk.before.length === 0;
    const place = isInsertion ? (chunk.anchors.length > 0 && !chunk.isAtEnd ? from : lines.length) : find(lines, chunk.before, from, chunk.isAtEnd);
    if (place === -1) throw doesNotFit(text, chunk.before, index, chunks.length, shown);
    out.push(...lines.slice(at, place), ...chunk.after);
    at = place + chunk.before.length;
  }
  out.push(...lines.slice(at));
  return out.length === 0 ? '' : out.join('\n') + (hasLastBreak ? '\n' : '');
}

function parse(patch: string, path: string): Chunk[] {
  const chunks: Chunk[] = [];
  let files = 0;
  let open: Chunk | undefined;
  const begin = (): Chunk => {
    const chunk: Chunk = { anchors: [], before: [], after: [], isAtEnd: false };
    chunks.push(chunk);
    return (open = chunk);
  };
  for (const line of patch.trim().split('\n')) {
    const file = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line);
    if (file) {
      const [, what = '', name = ''] = file;
      if (what !== 'Update') throw failure(`The patch would ${what.toLowerCase()} ${name}; edit_file cannot do that.`, 'Use write_file for a new file.');
      if (++files > 1 || !isSamePath(name.trim(), path))
        throw failure(`The patch changes ${name.trim()}, but the call is for ${path}.`, 'Pass one patch per file.');
    } else if (/^\*\*\* Move to: /.test(line)) throw failure('The patch moves a file; edit_file cannot do that.', 'Move it by command.');
    else if (line === '*** End of File') (open ?? begin()).isAtEnd = true;
    else if (line.startsWith('*** ')) continue;
    else if (line.startsWith('@@')) {
      const anchor = line.slice(2).trim();
      // Two consecutive anchors are nested.
      const chunk = open && open.before.length + open.after.length === 0 ? open : begin();
      if (anchor !== '') chunk.anchors.push(anchor);
    } else {
      const chunk = open ?? begin();
      if (!line.startsWith('+')) chunk.before.push(line.replace(/^[ -]/, ''));
      if (!line.startsWith('-')) chunk.after.push(line.replace(/^[ +]/, ''));
    }
  }
  const changes = chunks.filter(({ before, after }) => before.length + after.length > 0);
  if (changes.length === 0) throw failure('The patch changes nothing.', 'Changed lines start with - and +, others with a space.');
  return changes;
}

const isSamePath = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((path) => path.replace(/^\.\//, '').replaceAll('\\', '/')) as [string, string];
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`);
};

/** Finds lines exactly; if that fails, ignoring trailing white space; then also ignoring leading white space. */
function find(lines: readonly string[], wanted: readonly string[], from: number, isAtEnd: boolean): number {
  for (const form of [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    const formed = wanted.map(form);
    const last = lines.length - wanted.length;
    for (let at = isAtEnd ? Math.max(from, last) : from; at <= last; at++) if (formed.every((line, index) => form(lines[at + index] ?? '') === line)) return at;
  }
  return -1;
}

function doesNotFit(text: string, wanted: readonly string[], index: number, count: number, shown: string): Error {
  const nearest = nearestText(text, wanted.join('\n'));
  const where = nearest ? ` Closest text (lines ${nearest.first} to ${nearest.last}):\n${nearest.text}` : '';
  return failure(
    `Change ${index + 1} of ${count} does not match ${shown}; nothing was changed.${where}`,
    'Reread those lines and rewrite the patch, or use edits.',
  );
}
