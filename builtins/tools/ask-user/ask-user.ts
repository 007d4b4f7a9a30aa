// Implements the tool `ask_user`: passes the question to the service that waits for the user's answer.
import type { Approvals } from 'agent-harness/plugins/policy';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';

export interface AskUserArgs {
  readonly prompt: string;
  readonly options?: readonly string[];
}

export function createAskUser(services: { readonly approvals: Approvals }): (args: AskUserArgs, context: ToolContext) => Promise<ToolOutcome> {
  return async ({ prompt, options }, context) => {
    const isChoice = options !== undefined && options.length > 0;
    const answer = await services.approvals.ask({ prompt, ...(isChoice ? { options } : {}) }, context);
    return { ok: true, output: answer.trim() === '' ? '(The user gave an empty answer.)' : answer };
  };
}
