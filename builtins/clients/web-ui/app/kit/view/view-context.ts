// Defines the context through which parts of a view run actions.
import { createContext } from 'react';
import type { ViewAction } from 'agent-harness/view';

export interface ActInView {
  readonly isBusy: boolean;
  /** Collects the input of an action, runs it, and shows the result. Resolves with `false` if the action did not run. */
  act(action: ViewAction, row?: string, input?: Readonly<Record<string, FieldValue>>): Promise<boolean>;
}

export type FieldValue = string | number | boolean;

/** `undefined` if the view has no actions, because it belongs to no contribution. */
export const ActInViewContext = createContext<ActInView | undefined>(undefined);
