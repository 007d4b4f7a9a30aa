// Applies the user's decision or answer to the transcript of a client before its event arrives from the server.
import { reduce } from './reduce.ts';
import type { Decision, Transcript } from './state.ts';

/** Returns the chat after a decision; the same object if no approval with that id is pending. @param at time of the decision (ISO 8601) */
export function decide<T extends Transcript>(
  chat: T,
  approvalId: string,
  given: Pick<Decision, 'decision' | 'reason'> & { readonly args?: object },
  at: string,
): T {
  const asked = chat.approvals.find((one) => one.approvalId === approvalId);
  if (!asked) return chat;
  const { turnId, callId } = asked;
  return reduce(chat, [{ kind: 'approval_decision', at, turnId, callId, approvalId, by: 'user', ...given }]).state;
}

/** Returns the chat after an answer to a question; the same object if no question with that id is pending. @param at time of the answer (ISO 8601) */
export function answer<T extends Transcript>(chat: T, askId: string, text: string, at: string): T {
  const asked = chat.questions.find((one) => one.askId === askId);
  if (!asked) return chat;
  const { turnId, callId } = asked;
  return reduce(chat, [{ kind: 'ask_user_answered', at, turnId, callId, askId, answer: text }]).state;
}
