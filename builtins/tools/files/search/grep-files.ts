// Implements the tool `grep_files`: lists the files in this thread, and searches them in worker threads that can be terminated.
import { failure, messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { whyNothing } from './glob.ts';
import type { GrepFilesArgs } from '../inputs.ts';
import type { FilePorts } from '../ports.ts';
import { refuseNonFile } from '../paths/refuse-non-file.ts';
import { escapePattern, requiredText } from './required-text.ts';
import { searchPlace, type SearchPlace } from './search-place.ts';
import { searchLines } from './line-search.ts';
import type { FileHits } from './merge-search-results.ts';
import type { LineSearch } from './search-thread.ts';

const defaultLimit = 200;
const maxOutput = 40_000;
const maxShownLine = 400;

export async function grepFiles(args: GrepFilesArgs, context: ToolContext, ports: FilePorts): Promise<ToolOutcome> {
  const expression = expressionOf(args);
  const place = await searchPlace(args.path, context, ports);
  const isNamed = !place.stats?.isDirectory();
  if (isNamed && place.stats) refuseNonFile(place.stats, place.shown);
  let isCut = false;
  const found = await searchLines(
    async (add) => {
      if (isNamed) add(place.path);
      else isCut = await listFiles(place, args, add);
    },
    {
      ...expression,
      required: requiredText(expression.source),
      context: args.context ?? 0,
      maxHits: args.limit ?? defaultLimit,
      maxShownLine,
      isNamed,
      mayHaveOtherNames: place.hasOtherNames,
    },
    context.signal,
  );
  const notes: string[] = [];
  if (found.slowFile !== undefined) {
    const where = place.show(found.slowFile);
    if (found.files.length === 0) throw failure(`The pattern takes too long (stopped at ${where}).`, 'Simplify it: avoid nested repetition such as (a+)+.');
    notes.push(`the pattern takes too long and was stopped at ${where}; simplify it`);
  }
  const { body, isShortened } = format(found.files, place);
  if (found.isFull || isShortened) notes.push('more matches; narrow the pattern, path or glob');
  if (found.skipped > 0) notes.push(`${found.skipped} binary or large files were skipped`);
  if (found.linked > 0) notes.push(`${found.linked} hard links were skipped (possibly files outside the workspace); search one by its path`);
  if (isCut) notes.push('too many files, not all were searched; give a path');
  const why = body === '' && args.glob !== undefined ? whyNothing(args.glob) : undefined;
  if (why !== undefined) notes.push(why);
  const output = body === '' ? `No line matches ${args.pattern}.` : body;
  return { ok: true, output: notes.length === 0 ? output : `${output}\n\n[${notes.join('; ')}]`, ...(place.isInside ? {} : { isUntrusted: true }) };
}

function expressionOf(args: GrepFilesArgs): Pick<LineSearch, 'source' | 'flags'> {
  if (/[\n\r]/.test(args.pattern)) throw failure('The pattern contains a line break, but matching is per line.', 'Search for one line, with context.');
  const inline = /^\(\?i\)/.test(args.pattern) && args.literal !== true;
  const pattern = inline ? args.pattern.slice(4) : args.pattern;
  const source = args.literal === true ? escapePattern(pattern) : pattern;
  const flags = args.ignoreCase === true || inline ? 'i' : '';
  try {
    new RegExp(source, flags);
  } catch (fault) {
    throw failure(`Invalid regular expression: ${messageOf(fault)}.`, 'Set literal: true to search for plain text.');
  }
  return { source, flags };
}

/** Lists the files. Resolves to `true` if their number exceeded the limit. */
async function listFiles(place: SearchPlace, args: GrepFilesArgs, add: (path: string) => boolean): Promise<boolean> {
  const matches = args.glob === undefined ? () => true : place.globOf(args.glob);
  const wants = (path: string): boolean => matches(place.below(path));
  const { isCut } = await place.walk({ showIgnored: args.showIgnored, wants }, ({ kind, path }) => kind !== 'file' || add(path));
  return isCut;
}

function format(files: readonly FileHits[], place: SearchPlace): { body: string; isShortened: boolean } {
  const blocks: string[] = [];
  let length = 0;
  for (const file of files) {
    const width = String(file.lines.at(-1)?.number ?? 0).length;
    let previous = 0;
    const lines = file.lines.flatMap((line) => {
      const gap = previous > 0 && line.number > previous + 1 && file.lines.some((one) => !one.isHit) ? ['  --'] : [];
      previous = line.number;
      return [...gap, `  ${String(line.number).padStart(width)}${line.isHit ? ':' : '-'} ${line.text}`];
    });
    const block = [place.show(file.path) || place.shown, ...lines].join('\n');
    length += block.length;
    if (length > maxOutput) return { body: [...blocks, textStart(block, block.length - (length - maxOutput))].join('\n'), isShortened: true };
    blocks.push(block);
  }
  return { body: blocks.join('\n'), isShortened: false };
}
