// The service `approvals`: both desks behind one object.
import type { ApprovalDesk } from './approval-desk.ts';
import type { Approvals } from './contract.ts';
import type { QuestionDesk } from './question-desk.ts';

export function createApprovals(approvals: ApprovalDesk, questions: QuestionDesk): Approvals {
  return {
    pending(chatId) {
      const isWanted = (one: { readonly chatId: string }): boolean => chatId === undefined || one.chatId === chatId;
      return { approvals: approvals.pending().filter(isWanted), questions: questions.pending().filter(isWanted) };
    },
    decide: (approvalId, decision) => approvals.decide(approvalId, decision),
    ask: (question, asking) => questions.ask(question, asking),
    answer: (askId, answer, principal) => questions.answer(askId, answer, principal),
  };
}
