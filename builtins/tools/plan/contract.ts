// The contract of a chat's plan: a short list of steps maintained by the model and shown to users.

export type PlanStatus = 'pending' | 'active' | 'done';

export interface PlanItem {
  readonly text: string;
  readonly status: PlanStatus;
}

export interface Plan {
  /** The last turn that wrote it. */
  readonly turnId: string;
  /** At most 30, in working order. */
  readonly items: readonly PlanItem[];
}

/** Access to the plans of chats for other plugins. */
export interface Plans {
  /** `undefined` if there is none. */
  read(chatId: string): Promise<Plan | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    plans: Plans;
  }
  interface Events {
    /** The current list; empty after it was cleared or reset. */
    plan_updated: { readonly chatId: string } & Plan;
  }
}
