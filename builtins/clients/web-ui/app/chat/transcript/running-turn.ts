// The id of the turn that runs in the chat that is shown.
import { createContext } from 'react';

export const RunningTurnContext = createContext<string | undefined>(undefined);
