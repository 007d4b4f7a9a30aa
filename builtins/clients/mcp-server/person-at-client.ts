// Asks the user of the MCP client, if the client supports that.
import { showHidden } from '#lib/hidden-text';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { approvalText, type Approval, type Question } from 'agent-harness/transcript';

export interface PersonAtClient {
  /** Returns whether the client can ask its user. */
  isThere(): boolean;
  /** Asks the user for approval; `undefined` if there was no answer. */
  approve(approval: Approval, signal: AbortSignal): Promise<'approve' | 'reject' | undefined>;
  answer(question: Question, signal: AbortSignal): Promise<string | undefined>;
}

/** Time limit in milliseconds; long, because users may answer late. */
const patienceMs = 24 * 60 * 60_000;

export function createPersonAtClient(server: Server): PersonAtClient {
  return {
    isThere: () => server.getClientCapabilities()?.elicitation !== undefined,
    async approve(approval, signal) {
      const { action, content } = await server.elicitInput(
        {
          message: showHidden(`The agent wants to use ${approval.name}. ${approval.reason}\n${approvalText(approval)}`),
          requestedSchema: {
            type: 'object',
            properties: { decision: { type: 'string', title: 'Decision', enum: ['approve', 'reject'] } },
            required: ['decision'],
          },
        },
        { signal, timeout: patienceMs },
      );
      if (action === 'cancel') return undefined;
      return action === 'accept' && content?.['decision'] === 'approve' ? 'approve' : 'reject';
    },
    async answer({ prompt, options }, signal) {
      const choice = options && options.length > 0 ? `One of: ${showHidden(options.join('; '))}. Another answer is possible.` : 'The answer.';
      const { action, content } = await server.elicitInput(
        {
          message: showHidden(prompt),
          requestedSchema: { type: 'object', properties: { answer: { type: 'string', title: 'Answer', description: choice } }, required: ['answer'] },
        },
        { signal, timeout: patienceMs },
      );
      if (action === 'decline') return 'The user declined to answer.';
      return action === 'accept' && typeof content?.['answer'] === 'string' ? content['answer'] : undefined;
    },
  };
}
