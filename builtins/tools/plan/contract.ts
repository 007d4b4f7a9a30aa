// The plan of a chat: a short list of steps that the model keeps and people watch.

export type PlanStatus = 'pending' | 'active' | 'done';

export interface PlanItem {
  readonly text: string;
  readonly status: PlanStatus;
}

export interface Plan {
  /** The turn that wrote it last. */
  readonly turnId: string;
  /** Never more than 30, in the order of the work. */
  readonly items: readonly PlanItem[];
}

/** The plans of chats, for who wants to know what is left to do. */
export interface Plans {
  /** `undefined` where there is none. */
  read(chatId: string): Promise<Plan | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    plans: Plans;
  }
  interface Events {
    /** The whole list as it is now; empty where it was cleared or forgotten. */
    plan_updated: { readonly chatId: string } & Plan;
  }
}
