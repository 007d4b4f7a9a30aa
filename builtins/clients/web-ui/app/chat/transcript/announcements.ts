// Computes screen reader announcements between two states of a chat.
import type { AnnouncementEntry, ChatState, Entry } from 'agent-harness/client';
import { t } from '../../kit/t.ts';

/** The last announcement, and its state. */
export interface Heard {
  readonly isLoaded: boolean;
  readonly runningId: string | undefined;
  /** The newest turn with entries. */
  readonly turnId: string | undefined;
  /** Joined ids of pending decisions. */
  readonly asked: string;
  /** The newest message of a plugin. */
  readonly announcedId: string | undefined;
  /** ISO 8601: time of its newest entry. */
  readonly newestAt: string;
  readonly words: string;
}

/** Returns the announced state with its text; the same object if there is nothing new. */
export function listen(heard: Heard | undefined, state: ChatState): Heard {
  const now = {
    isLoaded: state.isLoaded,
    runningId: state.running?.turnId,
    turnId: lastSaid(state)?.turnId,
    announcedId: lastAnnounced(state)?.id,
    newestAt: state.entries.at(-1)?.at ?? '',
    asked: [...state.approvals.map((one) => one.approvalId), ...state.questions.map((one) => one.askId)].join(),
  };
  if (heard === undefined || !heard.isLoaded) return heard?.isLoaded === now.isLoaded ? heard : { ...now, words: '' };
  const isSame = heard.runningId === now.runningId && heard.turnId === now.turnId && heard.asked === now.asked && heard.announcedId === now.announcedId;
  return isSame ? heard : { ...now, words: wordsFor(heard, now, state) ?? heard.words };
}

function wordsFor(heard: Heard, now: Omit<Heard, 'words'>, state: ChatState): string | undefined {
  const known = heard.asked.split(',');
  const approval = now.asked === heard.asked ? undefined : state.approvals.find((one) => !known.includes(one.approvalId));
  if (approval) return t('{name} waits for your approval.', { name: approval.name });
  const question = now.asked === heard.asked ? undefined : state.questions.find((one) => !known.includes(one.askId));
  if (question) return t('Question: {prompt}', { prompt: question.prompt });
  const announced = now.announcedId === heard.announcedId ? undefined : lastAnnounced(state);
  // Otherwise it was loaded with older messages.
  if (announced && announced.at >= heard.newestAt) return `${announced.origin.plugin}: ${announced.text}`;
  if (now.runningId !== undefined) return heard.runningId === undefined ? t('The assistant is working.') : undefined;
  // A short turn may begin and end within one state: its entries show that.
  const hasEnded = heard.runningId !== undefined || (now.turnId !== undefined && now.turnId !== heard.turnId);
  return hasEnded ? endWords(lastSaid(state)) : undefined;
}

const lastSaid = ({ entries }: ChatState): Entry | undefined => entries.findLast(({ kind }) => kind !== 'user' && kind !== 'announcement');

function lastAnnounced({ entries }: ChatState): AnnouncementEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'announcement' && entry.channel === 'user') as AnnouncementEntry | undefined;
}

/** The last line describes a turn that ended without a reply. */
function endWords(last: Entry | undefined): string {
  if (last?.kind === 'error') return t('The turn failed: {text}', { text: last.text });
  return last?.kind === 'system' && last.turnId !== undefined ? last.text : t('The reply is complete.');
}
