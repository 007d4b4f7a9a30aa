// Implements the `approvals` service with both queues and the remembered rules.
import type { ApprovalQueue } from './approval-queue.ts';
import type { Approvals, StandingRules } from './contract.ts';
import type { QuestionQueue } from './question-queue.ts';

export function createApprovals(approvals: ApprovalQueue, questions: QuestionQueue, rules: StandingRules): Approvals {
  return {
    pending(chatId) {
      const isWanted = (one: { readonly chatId: string }): boolean => chatId === undefined || one.chatId === chatId;
      return { approvals: approvals.pending().filter(isWanted), questions: questions.pending().filter(isWanted) };
    },
    decide: (approvalId, decision) => approvals.decide(approvalId, decision),
    ask: (question, asking) => questions.ask(question, asking),
    answer: (askId, answer, principal) => questions.answer(askId, answer, principal),
    rules,
  };
}
