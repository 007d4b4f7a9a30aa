// Lets an item of the composer's menu act once the menu has closed and left the focus.
import { createContext } from 'react';

/** Runs the work after the menu closed; the menu then leaves the focus to the work. */
export const AfterMenuContext = createContext<(work: () => void) => void>((work) => work());
