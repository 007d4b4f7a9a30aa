// Implements user actions on a running turn: abort, decide, answer. An accepted action is shown immediately.
import { answer as withAnswer, decide as withDecision } from 'agent-harness/transcript';
import { CallError, type ApiCall } from './api.ts';
import type { OpenChat } from './client-contract.ts';
import type { ChatState } from './state.ts';
import { createStore, type Frames } from './store.ts';

export interface ActionParts {
  readonly chatId: string;
  readonly call: ApiCall;
  chat(): ChatState;
  set(next: ChatState): void;
  serverNow(): string;
  readonly frames: Frames;
}

export function createChatActions({
  chatId,
  call,
  chat,
  set,
  serverNow,
  frames,
}: ActionParts): Pick<OpenChat, 'abort' | 'takenBack' | 'takeBack' | 'putBack' | 'approve' | 'answer'> {
  const takenBack = createStore<readonly string[]>([], frames);

  function close(id: string): void {
    const { approvals, questions } = chat();
    set({ ...chat(), approvals: approvals.filter((one) => one.approvalId !== id), questions: questions.filter((one) => one.askId !== id) });
  }

  /** Submits a decision and rejects if that fails. Closes a decision that was made elsewhere or timed out. */
  async function decide(id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (fault) {
      if (fault instanceof CallError && ['not_found', 'already_resolved', 'expired'].includes(fault.code)) close(id);
      throw fault;
    }
  }

  return {
    async abort() {
      try {
        const { unqueued } = await call('POST /api/session/abort', { body: { chatId } });
        const texts = chat().entries.flatMap((entry) => (entry.kind === 'user' && !entry.origin && unqueued.includes(entry.turnId ?? '') ? [entry.text] : []));
        if (texts.length > 0) takenBack.set([...takenBack.get(), ...texts]);
      } catch (fault) {
        // The turn ended by itself in the meantime.
        if (!(fault instanceof CallError) || fault.code !== 'no_turn') throw fault;
      }
    },
    takenBack,
    putBack: (text) => takenBack.set([...takenBack.get(), text]),
    takeBack() {
      const texts = takenBack.get();
      if (texts.length > 0) takenBack.set([]);
      return texts;
    },
    approve: (approvalId, { decision, args, reason, remember, kind, rehearsal }) =>
      decide(approvalId, async () => {
        const given = { decision, ...(args === undefined ? {} : { args: { ...args } }), ...(reason === undefined || reason === '' ? {} : { reason }) };
        await call('POST /api/approve', {
          body: {
            approvalId,
            ...given,
            ...(rehearsal === undefined ? {} : { rehearsal }),
            ...(remember === undefined || remember === false ? {} : { remember: remember === true ? 'chat' : remember }),
            ...(kind === undefined ? {} : { kind }),
          },
        });
        set(withDecision(chat(), approvalId, given, serverNow()));
      }),
    answer: (askId, answer) =>
      decide(askId, async () => {
        await call('POST /api/answer', { body: { askId, answer } });
        set(withAnswer(chat(), askId, answer, serverNow()));
      }),
  };
}
