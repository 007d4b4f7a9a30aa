// What a reader who does not see the transcript is told, from one state of a chat to the next.
import type { AnnouncementEntry, ChatState, Entry } from 'agent-harness/client';
import { t } from '../../kit/t.ts';

/** What was told last, and of which state. */
export interface Heard {
  readonly isLoaded: boolean;
  readonly runningId: string | undefined;
  /** The newest turn that left something behind. */
  readonly turnId: string | undefined;
  /** Ids of what waits for a person, joined. */
  readonly asked: string;
  /** The newest thing that a plugin said by itself. */
  readonly announcedId: string | undefined;
  /** ISO 8601: of its newest entry. */
  readonly newestAt: string;
  readonly words: string;
}

/** The state that was told of, with its words; the same object where nothing is to be told anew. */
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
  // Else it came with older messages.
  if (announced && announced.at >= heard.newestAt) return `${announced.origin.plugin}: ${announced.text}`;
  if (now.runningId !== undefined) return heard.runningId === undefined ? t('The assistant is working.') : undefined;
  // A short turn begins and ends within one state: what it left behind tells that it was there.
  const hasEnded = heard.runningId !== undefined || (now.turnId !== undefined && now.turnId !== heard.turnId);
  return hasEnded ? endWords(lastSaid(state)) : undefined;
}

const lastSaid = ({ entries }: ChatState): Entry | undefined => entries.findLast(({ kind }) => kind !== 'user' && kind !== 'announcement');

function lastAnnounced({ entries }: ChatState): AnnouncementEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'announcement' && entry.channel === 'user') as AnnouncementEntry | undefined;
}

/** A turn that ended otherwise than by its reply says so in its last line. */
function endWords(last: Entry | undefined): string {
  if (last?.kind === 'error') return t('The turn failed: {text}', { text: last.text });
  return last?.kind === 'system' && last.turnId !== undefined ? last.text : t('The reply is complete.');
}
