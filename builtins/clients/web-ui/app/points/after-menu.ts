// Defines the context through which an item of the composer menu acts after the menu has closed and released the focus.
import { createContext } from 'react';

/** Runs the work after the menu has closed; the menu then leaves the focus to the work. */
export const AfterMenuContext = createContext<(work: () => void) => void>((work) => work());
