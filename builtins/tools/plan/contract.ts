// Defines the contract of a chat's plan: a short list of steps that the model maintains and clients show.

export type PlanStatus = 'pending' | 'active' | 'done';

export interface PlanItem {
  readonly text: string;
  readonly status: PlanStatus;
}

export interface Plan {
  /** Id of the last turn that wrote the plan. */
  readonly turnId: string;
  /** Steps in working order, at most 30. */
  readonly items: readonly PlanItem[];
}

/** Gives other plugins access to the plans of chats. */
export interface Plans {
  /** Returns the plan of a chat; `undefined` if it has none. */
  read(chatId: string): Promise<Plan | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    plans: Plans;
  }
  interface Events {
    /** Emitted with the current list of steps; empty after the plan was cleared or reset. */
    plan_updated: { readonly chatId: string } & Plan;
  }
}
