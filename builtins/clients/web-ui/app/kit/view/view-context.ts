// How the parts of a view have something done.
import { createContext } from 'react';
import type { ViewAction } from 'agent-harness/view';

export interface ActInView {
  readonly isBusy: boolean;
  /** Asks for what the action needs, has it done, and shows what came of it. Answers whether it was done. */
  act(action: ViewAction, row?: string, input?: Readonly<Record<string, FieldValue>>): Promise<boolean>;
}

export type FieldValue = string | number | boolean;

/** `undefined` where nothing can be done: the view belongs to no contribution. */
export const ActInViewContext = createContext<ActInView | undefined>(undefined);
