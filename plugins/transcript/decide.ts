// Applies the user's decision or answer to a transcript before its event returns from the server.
import { reduce } from './reduce.ts';
import type { Decision, Transcript } from './state.ts';

/** Returns the chat after the decision; the same object if no approval with that id is open. @param at ISO 8601 */
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

/** Does the same for an answer to a question. */
export function answer<T extends Transcript>(chat: T, askId: string, text: string, at: string): T {
  const asked = chat.questions.find((one) => one.askId === askId);
  if (!asked) return chat;
  const { turnId, callId } = asked;
  return reduce(chat, [{ kind: 'ask_user_answered', at, turnId, callId, askId, answer: text }]).state;
}
