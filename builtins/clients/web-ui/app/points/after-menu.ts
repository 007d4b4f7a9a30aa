// Defines the context by which a composer menu item acts after the menu has closed and released the focus.
import { createContext } from 'react';

/** Runs the work after the menu closed; the menu then leaves the focus to the work. */
export const AfterMenuContext = createContext<(work: () => void) => void>((work) => work());
