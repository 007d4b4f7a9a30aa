// Provides the id of the running turn of the shown chat.
import { createContext } from 'react';

export const RunningTurnContext = createContext<string | undefined>(undefined);
