// Provides the pending decisions of all chats, loaded once for the whole page.
import { createContext, use } from 'react';
import { nothingPending, type Pending } from './attention.ts';

export const PendingContext = createContext<Pending>(nothingPending);

export function usePending(): Pending {
  return use(PendingContext);
}
