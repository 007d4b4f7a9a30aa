// What the title and notifications of a hidden page say. Pure.
import { endingText, handle, type ChatMeta, type Handlers, type ReplyOf, type WireEvent } from 'agent-harness/client';

export type Pending = ReplyOf<'GET /api/pending'>;
export const nothingPending: Pending = { approvals: [], questions: [] };

const yes = (): true => true;
const asks: Handlers<true> = { tool_approval: yes, approval_decision: yes, ask_user: yes, ask_user_answered: yes, turn_end: yes };

/** Whether something else may wait for a person after the event. */
export function changesPending(event: WireEvent): boolean {
  return handle(event, asks) ?? (event.kind === 'chat_updated' || event.kind === 'resync');
}

export interface WaitingChat {
  readonly chatId: string;
  readonly title: string;
  readonly count: number;
}

/** Other chats in which decisions wait, in the order in which they began to. */
export function waitingElsewhere({ approvals, questions }: Pending, chatId: string | undefined, chats: readonly ChatMeta[]): WaitingChat[] {
  const counts = new Map<string, number>();
  for (const one of [...approvals, ...questions]) if (one.chatId !== chatId) counts.set(one.chatId, (counts.get(one.chatId) ?? 0) + 1);
  return [...counts].map(([id, count]) => ({ chatId: id, title: titleOf(id, chats), count }));
}

export function titleOf(chatId: string | undefined, chats: readonly ChatMeta[]): string {
  const title = chats.find((chat) => chat.chatId === chatId)?.title ?? '';
  return title === '' ? 'another chat' : title;
}

export interface Notice {
  /** Two of one tag are one notification, also from several tabs. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly chatId: string;
}

/** `undefined` for events nobody has to hear of. */
export function noticeOf(event: WireEvent, chats: readonly ChatMeta[]): Notice | undefined {
  const { chatId } = event;
  if (chatId === undefined) return undefined;
  const place = titleOf(chatId, chats);
  return handle<Notice | undefined>(event, {
    tool_approval: ({ approvalId, name = 'A tool' }) => ({ tag: approvalId, title: `${name} waits for approval`, body: place, chatId }),
    ask_user: ({ askId, prompt = '' }) => ({ tag: askId, title: 'A question waits', body: shortened(prompt), chatId }),
    turn_end({ turnId = '', reason = 'done', error }) {
      if (reason === 'aborted') return undefined;
      const title = reason === 'done' ? 'Done' : shortened(error?.message ?? endingText(reason));
      return { tag: `end ${turnId}`, title, body: place, chatId };
    },
  });
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

/** The title of a page that is looked at: how many decisions wait stands before its own. */
export function countedTitle(title: string, { approvals, questions }: Pending): string {
  const count = approvals.length + questions.length;
  return count === 0 ? title : `(${count}) ${title}`;
}

/** The title while the page is hidden; `undefined` where nothing has to be said. What waits is said before what ended. */
export function attentionTitle(pending: Pending, ended: readonly Notice[]): string | undefined {
  const count = pending.approvals.length + pending.questions.length;
  if (count > 0) return `(${count}) waits: ${pending.approvals[0]?.name ?? 'a question'}`;
  const last = ended.at(-1);
  return last && `${last.title}: ${last.body}`;
}
