// How a file that a text names is opened; `undefined` where nobody shows files.
import { createContext } from 'react';

/** @param line from 1 */
export type OpenFile = (path: string, line?: number) => void;

export const OpenFileContext = createContext<OpenFile | undefined>(undefined);
