// Whether a word that looks like the name of a file is one: whoever knows the workspace of the chat that is shown is asked.
import { createContext } from 'react';

/** Resolves with whether there is such a file. @param name without a folder */
export type FileLookup = (name: string) => Promise<boolean>;

export const FileLookupContext = createContext<FileLookup | undefined>(undefined);

/** A file may come while the reply that names it is written. */
const freshMs = 5_000;

/** @param ask each name is asked again when its answer is no longer fresh; a rejection is no */
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
