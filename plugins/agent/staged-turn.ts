// Runs a turn on supplied results, isolated from its chat; emits and stores nothing.
import type { Registry } from 'agent-harness/kernel';
import type { StagedTurn, StageTurn, TurnEvents } from 'agent-harness/plugins/agent';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { createConversation, isReadable, type EventKind } from 'agent-harness/transcript';
import type { Conversations } from './conversations.ts';
import { createLiveTurn } from './live-turn.ts';
import type { manifest } from './manifest.ts';
import { runTask } from './task-turn.ts';
import { runTurn, type LoopDeps } from './turn-loop.ts';

export interface StageParts {
  readonly loop: Pick<LoopDeps, 'title' | 'config' | 'unexpected'>;
  readonly conversations: Pick<Conversations, 'bringFor'>;
  readonly error: Registry<typeof manifest>['error'];
}

/** Starts a staged turn. Rejects if the supplied events lack its message. */
export async function stageTurn(staged: StageTurn, { loop, conversations, error }: StageParts): Promise<StagedTurn> {
  const { chatId, turnId, workspaceRoot, startedAt } = staged;
  const conversation = createConversation();
  let message: TurnEvents['message_accepted'] | undefined;
  for await (const event of staged.before) {
    if (isMessageOf(event, turnId)) message = event;
    conversation.take(event.kind as EventKind, event, await conversations.bringFor(chatId, event));
  }
  if (!message) throw error('INVALID_REQUEST', { why: `The events before the turn '${turnId}' do not have its message.` });
  conversation.settle();
  const abort = new AbortController();
  const { messageId, text, principal, origin } = message;
  const from = { ...(principal ? { principal } : {}), ...(origin ? { origin } : {}) };
  const start = { chatId, turnId, messageId, text, workspaceRoot, kept: () => Promise.resolve(), ...from };
  const turn = createLiveTurn(start, conversation, abort.signal, { emit: (kind, event) => ports.emitter.emit(kind, event) }, startedAt);
  const ports = staged.ports(turn);
  return {
    done: Promise.resolve().then(() => runTurn(turn, { ...loop, ...ports })),
    abort: (reason) => abort.abort(reason),
    async join(event) {
      const attached = await conversations.bringFor(chatId, event);
      conversation.take('message_accepted', event, attached);
      if (event.untrusted || event.attachments.some(isReadable)) turn.isTainted = true;
      turn.steers.push(event.messageId);
    },
    runTask: (task, own, signal) => runTask(turn, task, { ...loop, ...own }, signal, () => error('ABORTED')),
  };
}

function isMessageOf(event: JournalEvent, turnId: string): event is JournalEvent & TurnEvents['message_accepted'] {
  return event.kind === 'message_accepted' && event.turnId === turnId && event['isSteer'] !== true;
}
