// What a person does in a running turn: stops it, decides, answers. What the server took shows at once.
import { CallError, type ApiCall, type WireEvent } from './api.ts';
import type { OpenChat } from './client-contract.ts';
import type { ChatState } from './state.ts';
import { createStore, type Frames } from './store.ts';

export interface ActionParts {
  readonly chatId: string;
  readonly call: ApiCall;
  chat(): ChatState;
  set(next: ChatState): void;
  /** Takes an event before the stream brings it. */
  apply(event: WireEvent): void;
  serverNow(): string;
  readonly frames: Frames;
}

export function createChatActions({
  chatId,
  call,
  chat,
  set,
  apply,
  serverNow,
  frames,
}: ActionParts): Pick<OpenChat, 'abort' | 'takenBack' | 'takeBack' | 'approve' | 'answer'> {
  const takenBack = createStore<readonly string[]>([], frames);

  function close(id: string): void {
    const { approvals, questions } = chat();
    set({ ...chat(), approvals: approvals.filter((one) => one.approvalId !== id), questions: questions.filter((one) => one.askId !== id) });
  }

  /** Where somebody else decided, or it is too late, there is nothing left to decide. */
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
        // It ended by itself in the meantime.
        if (!(fault instanceof CallError) || fault.code !== 'no_turn') throw fault;
      }
    },
    takenBack,
    takeBack() {
      const texts = takenBack.get();
      if (texts.length > 0) takenBack.set([]);
      return texts;
    },
    approve: (approvalId, { decision, args, reason, remember }) =>
      decide(approvalId, async () => {
        const asked = chat().approvals.find((one) => one.approvalId === approvalId);
        const given = { decision, ...(args === undefined ? {} : { args: { ...args } }), ...(reason === undefined || reason === '' ? {} : { reason }) };
        await call('POST /api/approve', { body: { approvalId, ...given, ...(remember === true ? { remember: 'chat' } : {}) } });
        if (!asked) return;
        const { turnId, callId } = asked;
        apply({ kind: 'approval_decision', at: serverNow(), chatId, turnId, callId, approvalId, by: 'user', ...given });
      }),
    answer: (askId, answer) =>
      decide(askId, async () => {
        const asked = chat().questions.find((one) => one.askId === askId);
        await call('POST /api/answer', { body: { askId, answer } });
        if (asked) apply({ kind: 'ask_user_answered', at: serverNow(), chatId, turnId: asked.turnId, callId: asked.callId, askId, answer });
      }),
  };
}
