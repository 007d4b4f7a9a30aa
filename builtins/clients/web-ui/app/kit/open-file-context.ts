// Defines the context that opens a file named in a text; `undefined` if no plugin shows files.
import { createContext } from 'react';

/** @param line line number, from 1 */
export type OpenFile = (path: string, line?: number) => void;

export const OpenFileContext = createContext<OpenFile | undefined>(undefined);
