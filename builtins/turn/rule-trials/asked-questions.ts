// Reads the past approvals of a folder's chats, with their answers, from the journals.
import type { ChatMeta, Chats, EventLog, JournalEvent } from 'agent-harness/plugins/chats';
import type { PendingApproval } from 'agent-harness/plugins/policy';
import { isRecord } from '#lib/values';
import { handle, type ChatEvent } from 'agent-harness/transcript';

/** `changed`: approved with edited arguments. `unanswered`: the request timed out, or the turn ended. */
export type Answer = 'approved' | 'rejected' | 'changed' | 'unanswered';

export interface AskedQuestion extends Pick<PendingApproval, 'approvalId' | 'chatId' | 'turnId' | 'name' | 'reason'> {
  /** Arguments of the call; empty if they are larger than {@link mostArguments}, so that no rule is proposed from the approval. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Time of the approval request, ISO 8601. */
  readonly at: string;
  readonly answer: Answer;
  /** Whether a rule could answer such an approval, because only the effect of the call required it. */
  readonly isSparable: boolean;
  /** Whether external content was read before the approval; no rule for a kind of call may then answer the approval. */
  readonly isAfterOutside: boolean;
  /** Path of the chat's workspace. */
  readonly workspaceRoot: string;
}

const answers = { approve: 'approved', reject: 'rejected', edit: 'changed' } as const;

/** Maximum number of approvals to read, newest first. */
export const mostQuestions = 300;
const mostChats = 200;
/** Maximum number of cached approvals; if it is exceeded, the whole cache is dropped. */
const mostKept = 2_000;
/** Maximum length of an approval's arguments in characters of JSON; rules concern a command or an address, not file contents. */
const mostArguments = 8_000;

export interface AskedQuestions {
  /** Returns the approvals in all chats of a folder, or of all folders, newest first, up to {@link mostQuestions}. Excludes pending ones. */
  in(workspaceRoot?: string): Promise<AskedQuestion[]>;
  /** Removes a chat from the cache, because it was deleted or has a new approval or answer. */
  forget(chatId: string): void;
}

export function createAskedQuestions(chats: Pick<Chats, 'list'>, eventLog: Pick<EventLog, 'read'>): AskedQuestions {
  /** Cache by chat, so that an unchanged journal is read only once. */
  const known = new Map<string, { readonly stamp: string; readonly questions: readonly AskedQuestion[] }>();

  async function ofChat({ chatId, updatedAt, turns, busy, workspaceRoot }: ChatMeta): Promise<readonly AskedQuestion[]> {
    const stamp = `${updatedAt} ${turns}`;
    const before = known.get(chatId);
    if (before?.stamp === stamp && !busy) return before.questions;
    const questions = await readQuestions(eventLog.read(chatId), workspaceRoot);
    const held = [...known.values()].reduce((sum, one) => sum + one.questions.length, questions.length);
    if (held > mostKept) known.clear();
    if (!busy) known.set(chatId, { stamp, questions });
    return questions;
  }

  return {
    forget: (chatId) => void known.delete(chatId),
    async in(workspaceRoot) {
      const { chats: all } = await chats.list({ archived: true });
      const newest = all
        .filter((chat) => workspaceRoot === undefined || chat.workspaceRoot === workspaceRoot)
        .sort((a, b) => compare(b.updatedAt, a.updatedAt));
      const questions: AskedQuestion[] = [];
      for (const chat of newest.slice(0, mostChats)) {
        // All remaining chats are older than each of these approvals.
        if (questions.length >= mostQuestions && compare(chat.updatedAt, questions[mostQuestions - 1]?.at ?? '') < 0) break;
        questions.push(...(await ofChat(chat)));
        questions.sort((a, b) => compare(b.at, a.at));
      }
      return questions.slice(0, mostQuestions);
    },
  };
}

async function readQuestions(events: AsyncIterable<JournalEvent>, workspaceRoot: string): Promise<AskedQuestion[]> {
  const open = new Map<string, AskedQuestion>();
  const questions: AskedQuestion[] = [];
  for await (const event of events)
    handle(event as ChatEvent, {
      tool_approval({ approvalId, chatId = '', turnId = '', name = '', reason = '', args, remembers, afterOutside, at }) {
        const isKept = isRecord(args) && JSON.stringify(args).length <= mostArguments;
        open.set(approvalId, {
          ...{ approvalId, chatId, turnId, name, reason, at, answer: 'unanswered', isSparable: remembers !== undefined && isKept },
          ...{ isAfterOutside: afterOutside === true, workspaceRoot },
          args: isKept ? args : {},
        });
      },
      approval_decision({ approvalId, decision, by }) {
        const asked = open.get(approvalId);
        open.delete(approvalId);
        if (asked) questions.push({ ...asked, answer: by === 'user' && decision ? answers[decision] : 'unanswered' });
      },
    });
  return questions.slice(-mostQuestions);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
