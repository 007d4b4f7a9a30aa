// Parses a file location as written by users and models: `src/app.ts:12`, `src/app.ts#L12`. Pure.
import { languageOf } from './code/language-of.ts';

export interface FileLocation {
  readonly path: string;
  /** Line number, from 1. */
  readonly line?: number;
}

const shape = /^(?:\.\/)?((?:[\w@.+~-]+\/)*[\w@.+~-]+\.[A-Za-z]\w{0,9}|(?:[\w@.+~-]+\/)*(?:Makefile|Dockerfile))(?:(?::|#L)(\d{1,7})(?:[:-]L?\d{1,7})?)?$/;
/** Matches files for which there is no highlighting. */
const others = /\.(?:txt|csv|tsv|pdf|png|jpe?g|gif|webp|avif|docx|xlsx|pptx)$|\/.*\.(?:log|lock|env)$/i;

/**
 * Returns `undefined` for text that is certainly no file location: a file name needs a line number, a folder, or a known extension. Does not check whether the
 * file exists.
 */
export function readFileLocation(text: string): FileLocation | undefined {
  if (text.length > 512) return undefined;
  const [, path = '', line] = shape.exec(text) ?? [];
  if (path === '' || /(?:^|\/)\.\.?(?:\/|$)/.test(path)) return undefined;
  if (line !== undefined) return { path, line: Number(line) };
  return languageOf(path) !== '' || others.test(path) ? { path } : undefined;
}

/** Splits a text at locations with a line number, for linking. */
export function splitAtLocations(text: string): readonly (string | (FileLocation & { readonly text: string }))[] {
  if (!/\.\w+:\d/.test(text)) return [text];
  return text.split(/((?:[\w@.+~-]+\/)*[\w@.+~-]+\.[A-Za-z]\w{0,9}:\d{1,7})(?![\w.])/).map((part, index) => {
    const place = index % 2 === 1 ? readFileLocation(part) : undefined;
    // A host name with a port is not a file.
    return place && languageOf(place.path) !== '' ? { ...place, text: part } : part;
  });
}
