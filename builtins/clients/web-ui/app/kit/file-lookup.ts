// Checks whether a word that looks like a file name is a file in the workspace of the open chat.
import { createContext } from 'react';

/** Resolves with `true` if the file exists. @param name file name without a folder */
export type FileLookup = (name: string) => Promise<boolean>;

export const FileLookupContext = createContext<FileLookup | undefined>(undefined);

/** Lifetime of a result in milliseconds. A file may be created while the reply that names it is being written. */
const freshMs = 5_000;

/** @param ask checks one name, again after its result has expired; a rejection counts as a missing file */
export function createFileLookup(ask: FileLookup): FileLookup {
  const asked = new Map<string, { readonly at: number; readonly answer: Promise<boolean> }>();
  return (name) => {
    const last = asked.get(name);
    if (last && performance.now() - last.at < freshMs) return last.answer;
    const answer = ask(name).catch(() => false);
    asked.set(name, { at: performance.now(), answer });
    return answer;
  };
}
