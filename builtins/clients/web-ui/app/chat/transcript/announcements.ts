// Computes screen reader announcements between two states of a chat.
import type { AnnouncementEntry, ChatState, Entry } from 'agent-harness/client';
import { t } from '../../kit/t.ts';

/** The last announcement, and the state that it described. */
export interface Announcement {
  readonly isLoaded: boolean;
  readonly runningId: string | undefined;
  /** The newest turn that has entries. */
  readonly turnId: string | undefined;
  /** Joined ids of pending decisions. */
  readonly asked: string;
  /** The newest message from a plugin. */
  readonly announcedId: string | undefined;
  /** Time of the newest entry, ISO 8601. */
  readonly newestAt: string;
  readonly words: string;
}

/** Returns the announced state with its text; the same object if there is nothing new. */
export function announce(last: Announcement | undefined, state: ChatState): Announcement {
  const now = {
    isLoaded: state.isLoaded,
    runningId: state.running?.turnId,
    turnId: lastSaid(state)?.turnId,
    announcedId: lastAnnounced(state)?.id,
    newestAt: state.entries.at(-1)?.at ?? '',
    asked: [...state.approvals.map((one) => one.approvalId), ...state.questions.map((one) => one.askId)].join(),
  };
  if (last === undefined || !last.isLoaded) return last?.isLoaded === now.isLoaded ? last : { ...now, words: '' };
  const isSame = last.runningId === now.runningId && last.turnId === now.turnId && last.asked === now.asked && last.announcedId === now.announcedId;
  return isSame ? last : { ...now, words: wordsFor(last, now, state) ?? last.words };
}

function wordsFor(last: Announcement, now: Omit<Announcement, 'words'>, state: ChatState): string | undefined {
  const known = last.asked.split(',');
  const approval = now.asked === last.asked ? undefined : state.approvals.find((one) => !known.includes(one.approvalId));
  if (approval) return t('{name} waits for your approval.', { name: approval.name });
  const question = now.asked === last.asked ? undefined : state.questions.find((one) => !known.includes(one.askId));
  if (question) return t('Question: {prompt}', { prompt: question.prompt });
  const announced = now.announcedId === last.announcedId ? undefined : lastAnnounced(state);
  // An announcement that is not newer was loaded with older messages.
  if (announced && announced.at >= last.newestAt) return `${announced.origin.plugin}: ${announced.text}`;
  if (now.runningId !== undefined) return last.runningId === undefined ? t('The assistant is working.') : undefined;
  // A short turn may begin and end between two states; its entries reveal that.
  const hasEnded = last.runningId !== undefined || (now.turnId !== undefined && now.turnId !== last.turnId);
  return hasEnded ? endWords(lastSaid(state)) : undefined;
}

const lastSaid = ({ entries }: ChatState): Entry | undefined => entries.findLast(({ kind }) => kind !== 'user' && kind !== 'announcement');

function lastAnnounced({ entries }: ChatState): AnnouncementEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'announcement' && entry.channel === 'user') as AnnouncementEntry | undefined;
}

/** Returns the announcement for an ended turn, based on its last entry. */
function endWords(last: Entry | undefined): string {
  if (last?.kind === 'error') return t('The turn failed: {text}', { text: last.text });
  return last?.kind === 'system' && last.turnId !== undefined ? last.text : t('The reply is complete.');
}
