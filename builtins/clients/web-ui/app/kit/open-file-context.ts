// Defines the context that opens a file that a text names; `undefined` if no plugin shows files.
import { createContext } from 'react';

/** @param line line number, from 1 */
export type OpenFile = (path: string, line?: number) => void;

export const OpenFileContext = createContext<OpenFile | undefined>(undefined);
