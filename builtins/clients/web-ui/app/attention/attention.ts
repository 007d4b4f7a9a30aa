// Computes the title and the notifications of a hidden page. Pure.
import { handle, noticeOf, type ChatMeta, type Handlers, type Notice, type ReplyOf, type WireEvent } from 'agent-harness/client';
import { t } from '../kit/t.ts';

export type Pending = ReplyOf<'GET /api/pending'>;
export const nothingPending: Pending = { approvals: [], questions: [] };

const yes = (): true => true;
const asks: Handlers<true> = { tool_approval: yes, approval_decision: yes, ask_user: yes, ask_user_answered: yes, turn_end: yes };

/** Returns whether the event may change the pending decisions. */
export function changesPending(event: WireEvent): boolean {
  return handle(event, asks) ?? (event.kind === 'chat_updated' || event.kind === 'resync');
}

export interface WaitingChat {
  readonly chatId: string;
  readonly title: string;
  readonly count: number;
}

/** Returns other chats with pending decisions, oldest first. */
export function waitingElsewhere({ approvals, questions }: Pending, chatId: string | undefined, chats: readonly ChatMeta[]): WaitingChat[] {
  const counts = new Map<string, number>();
  for (const one of [...approvals, ...questions]) if (one.chatId !== chatId) counts.set(one.chatId, (counts.get(one.chatId) ?? 0) + 1);
  return [...counts].map(([id, count]) => ({ chatId: id, title: titleOf(id, chats), count }));
}

export function titleOf(chatId: string | undefined, chats: readonly ChatMeta[]): string {
  const title = chats.find((chat) => chat.chatId === chatId)?.title ?? '';
  return title === '' ? t('another chat') : title;
}

export type { Notice };

/** Returns the notification for an event; `undefined` if the event has none. */
export function noticeIn(event: WireEvent, chats: readonly ChatMeta[]): Notice | undefined {
  return noticeOf(event, titleOf(event.chatId, chats));
}

/** Returns the title of a visible page, prefixed with the number of pending decisions. */
export function countedTitle(title: string, { approvals, questions }: Pending): string {
  const count = approvals.length + questions.length;
  return count === 0 ? title : `(${count}) ${title}`;
}

/** Returns the title of a hidden page; `undefined` keeps the current one. Pending decisions take precedence over ended turns. */
export function attentionTitle(pending: Pending, ended: readonly Notice[]): string | undefined {
  const count = pending.approvals.length + pending.questions.length;
  if (count > 0) return t('({count}) Waiting: {name}', { count, name: pending.approvals[0]?.name ?? t('a question') });
  const last = ended.at(-1);
  return last && `${last.title}: ${last.body}`;
}
