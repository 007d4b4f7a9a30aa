// Builds notifications about a chat that the user is not viewing, for page, terminal and push. Pure.
import { handle } from './handlers.ts';
import type { ChatEvent } from './reduce.ts';
import { endingText } from './wording.ts';

export interface Notice {
  /** Tag of the notification, which replaces an earlier one with the same tag, also across tabs and devices. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly chatId: string;
  /** Whether the user must decide or answer; otherwise, a turn has ended. */
  readonly isWaiting: boolean;
}

/** Returns the notification for an event; `undefined` for events without one. @param place title of the chat */
export function noticeOf(event: ChatEvent & { readonly chatId?: string | undefined }, place: string): Notice | undefined {
  const { chatId } = event;
  if (chatId === undefined) return undefined;
  return handle<Notice | undefined>(event, {
    tool_approval: ({ approvalId, name = 'A tool' }) => ({ tag: approvalId, title: `${name} waits for approval`, body: place, chatId, isWaiting: true }),
    ask_user: ({ askId, prompt = '' }) => ({ tag: askId, title: 'A question is waiting', body: shortened(prompt), chatId, isWaiting: true }),
    turn_end({ turnId = '', reason = 'done', error }) {
      if (reason === 'aborted') return undefined;
      const title = reason === 'done' ? 'Done' : shortened(error?.message ?? endingText(reason));
      return { tag: `end ${turnId}`, title, body: place, chatId, isWaiting: false };
    },
  });
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
