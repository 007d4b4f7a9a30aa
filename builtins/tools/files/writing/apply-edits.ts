// Applies search-and-replace edits to text: each search must match exactly once, unless all occurrences are requested.
import { failure } from '#lib/errors';
import { nearestText } from './nearest-text.ts';

export interface Edit {
  readonly search: string;
  readonly replace: string;
  readonly all?: boolean;
}

/** Applies all edits in order; throws a failure that helps to find the right text. Each line keeps its line ending. */
export function applyEdits(text: string, edits: readonly Edit[], shown: string): string {
  const eol = lineEndingOf(text);
  return edits.reduce((current, edit, index) => applyOne(current, edit, eol, edits.length === 1 ? '' : `Edit ${index + 1}: `, shown), text);
}

function applyOne(text: string, edit: Edit, eol: string, label: string, shown: string): string {
  if (edit.search === edit.replace) throw failure(`${label}search and replace are the same.`);
  // A model rarely knows the line endings of a file, which may be mixed.
  const { plain, ends } = withoutReturns(text);
  const search = withoutReturns(edit.search).plain;
  const places = placesOf(plain, search);
  if (places.length === 0) throw notFound(plain, search, label, shown);
  if (places.length > 1 && edit.all !== true) throw ambiguous(plain, places, label, shown);
  const replace = withoutReturns(edit.replace).plain;
  const [breaks, newBreaks] = [countBreaks(search), countBreaks(replace)];
  const newEnds: string[] = [];
  let [line, from] = [0, 0];
  for (const place of places) {
    const first = line + countBreaks(plain.slice(from, place));
    const own = ends.slice(first, first + breaks);
    const usual = own.at(-1) ?? ends[first] ?? ends[first - 1] ?? eol;
    while (line < first) newEnds.push(ends[line++] ?? eol);
    for (let index = 0; index < newBreaks; index++) newEnds.push(own[index] ?? usual);
    [line, from] = [first + breaks, place + search.length];
  }
  return withReturns(plain.split(search).join(replace), newEnds.concat(ends.slice(line)));
}

/** Returns the text with only `\n`, and the original line endings. */
export function withoutReturns(text: string): { readonly plain: string; readonly ends: string[] } {
  return { plain: text.replaceAll('\r\n', '\n'), ends: text.match(/\r?\n/g) ?? [] };
}

export function withReturns(plain: string, ends: readonly string[]): string {
  let index = 0;
  return plain.replaceAll('\n', () => ends[index++] ?? '\n');
}

const countBreaks = (text: string): number => text.split('\n').length - 1;

/** Returns the most frequent line ending. */
export function lineEndingOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  return crlf * 2 > all ? '\r\n' : '\n';
}

function placesOf(text: string, search: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) places.push(at);
  return places;
}

function notFound(text: string, search: string, label: string, shown: string): Error {
  const nearest = nearestText(text, search);
  if (!nearest) return failure(`${label}the search text was not found in ${shown}.`, 'Read the file and copy the text exactly, without line numbers.');
  const why = nearest.isOnlySpace ? 'It differs in whitespace only' : 'Closest text';
  return failure(
    `${label}the search text was not found in ${shown}. ${why} (lines ${nearest.first} to ${nearest.last}):\n${nearest.text}`,
    'Copy the text exactly from the file, without line numbers.',
  );
}

function ambiguous(text: string, places: readonly number[], label: string, shown: string): Error {
  const lines = places.slice(0, 10).map((at) => text.slice(0, at).split('\n').length);
  const more = places.length > 10 ? ', …' : '';
  return failure(
    `${label}the search text occurs ${places.length} times in ${shown} (lines ${lines.join(', ')}${more}).`,
    'Add nearby lines to make it unique, or set all: true.',
  );
}
