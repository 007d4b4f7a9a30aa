// One reply of the model: streams its deltas out as events, and answers it whole.
import type { Emitter } from 'agent-harness/kernel';
import type { ModelCall, ModelReply, ModelRequest, ModelToolCall, Models } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Tools } from 'agent-harness/plugins/tools';
import { assistantMessage } from './conversation.ts';
import { createComposeScanner, type ComposeDelta } from './compose-preview.ts';
import type { LiveTurn } from './live-turn.ts';

export interface ReplyDeps {
  readonly emitter: Emitter;
  readonly models: Models;
  readonly tools: Tools;
  readonly storage: Storage;
}

export interface StreamedReply extends ModelReply {
  readonly messageId: string;
  /** The calls under our own ids: a provider's may repeat. */
  readonly toolCalls: readonly ModelToolCall[];
}

/** Rejects with the models' error, or with the signal's reason when the turn is aborted. */
export async function streamReply(turn: LiveTurn, request: ModelRequest, deps: ReplyDeps): Promise<StreamedReply> {
  const { emitter, storage, tools } = deps;
  const { chatId, turnId } = turn;
  let attempt = startAttempt();
  const waiting = turn.waiting('model');
  let retrying: (() => void) | undefined;

  function startAttempt(): Attempt {
    return { messageId: storage.createId('msg'), text: '', reasoning: 0, callIds: [], scanners: [] };
  }
  function emitText(delta: string, channel: 'user' | 'reasoning', offset: number): void {
    emitter.emit('text', { chatId, turnId, messageId: attempt.messageId, offset, delta, channel });
  }

  const call: ModelCall = {
    text(delta) {
      emitText(delta, 'user', attempt.text.length);
      attempt.text += delta;
    },
    reasoning(delta) {
      emitText(delta, 'reasoning', attempt.reasoning);
      attempt.reasoning += delta.length;
    },
    toolCall(index, _id, name) {
      const callId = storage.createId('call');
      attempt.callIds[index] = callId;
      const compose = tools.find(name)?.compose;
      if (compose) attempt.scanners[index] = createComposeScanner(compose.path, compose.content);
      emitter.emit('tool_start', { chatId, turnId, callId, messageId: attempt.messageId, name });
    },
    toolArgs(index, argsDelta) {
      const callId = attempt.callIds[index];
      if (callId === undefined) return;
      emitter.emit('tool_delta', { chatId, turnId, callId, argsDelta });
      const preview = attempt.scanners[index]?.(argsDelta);
      if (preview) emitter.emit('compose_preview', { chatId, turnId, callId, ...preview });
    },
    retry() {
      attempt = startAttempt();
      retrying?.();
      retrying = turn.waiting('retry');
    },
  };

  try {
    const reply = await deps.models.stream(request, call, turn.signal);
    const toolCalls = reply.toolCalls.map((one, index) => ({ ...one, id: attempt.callIds[index] ?? storage.createId('call') }));
    return { ...reply, toolCalls, messageId: attempt.messageId };
  } catch (fault) {
    // The person has read it, so the model should know that it said it.
    if (attempt.text !== '') turn.conversation.messages.push(assistantMessage(attempt.text, []));
    throw fault;
  } finally {
    retrying?.();
    waiting();
  }
}

interface Attempt {
  readonly messageId: string;
  text: string;
  reasoning: number;
  readonly callIds: string[];
  readonly scanners: (Scanner | undefined)[];
}
type Scanner = (piece: string) => ComposeDelta | undefined;
