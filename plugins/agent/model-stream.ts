// Streams one reply of the model: emits its deltas as events, and returns the whole reply.
import { untilAborted } from '#lib/async';
import { replaceTexts } from '#lib/values';
import type { TurnPorts } from 'agent-harness/plugins/agent';
import type { ModelCall, ModelReply, ModelRequest, ModelToolCall } from 'agent-harness/plugins/models';
import { hasContent } from 'agent-harness/transcript';
import { createComposeScanner, type ComposeDelta } from './compose-preview.ts';
import type { LiveTurn } from './live-turn.ts';
import { shownAs } from './tool-call-display.ts';

type ReplyDeps = Pick<TurnPorts, 'models' | 'tools' | 'storage'>;

export interface StreamedReply extends ModelReply {
  readonly messageId: string;
  /** Calls with ids that are created here, because a provider may repeat ids. */
  readonly toolCalls: readonly ModelToolCall[];
}

/** Time in milliseconds that an adapter has to close its connection after an abort. */
const closeGraceMs = 1_500;

/** Streams one reply and returns it. Rejects with the error of `models`, or with the signal's reason when the turn is aborted. */
export async function streamReply(turn: LiveTurn, request: ModelRequest, deps: ReplyDeps): Promise<StreamedReply> {
  const { storage, tools } = deps;
  const { chatId, turnId } = turn;
  let attempt = startAttempt();
  const waiting = turn.waiting('model');
  let retrying: (() => void) | undefined;
  /** Set when the turn no longer accepts output of the adapter. */
  let isOver = false;

  function startAttempt(): Attempt {
    return { messageId: storage.createId('msg'), length: 0, reasoning: 0, callIds: [], scanners: [] };
  }
  function emitText(delta: string, channel: 'user' | 'reasoning', offset: number): void {
    turn.say('text', { chatId, turnId, messageId: attempt.messageId, offset, delta, channel });
  }

  /** Returns whether the turn still accepts output; the first output of a further attempt ends the wait for that attempt. */
  function acceptsOutput(): boolean {
    retrying?.();
    retrying = undefined;
    return !isOver;
  }

  const call: ModelCall = {
    text(delta) {
      if (!acceptsOutput()) return;
      emitText(delta, 'user', attempt.length);
      attempt.length += delta.length;
    },
    reasoning(delta) {
      if (!acceptsOutput()) return;
      emitText(delta, 'reasoning', attempt.reasoning);
      attempt.reasoning += delta.length;
    },
    toolCall(index, _id, name) {
      if (!acceptsOutput()) return;
      const callId = storage.createId('call');
      attempt.callIds[index] = callId;
      const tool = tools.find(name);
      const compose = tool?.compose;
      if (compose) attempt.scanners[index] = createComposeScanner(compose.path, [compose.content].flat());
      turn.say('tool_start', { chatId, turnId, callId, messageId: attempt.messageId, name, ...shownAs(tool) });
    },
    toolArgs(index, argsDelta) {
      const callId = attempt.callIds[index];
      if (!acceptsOutput() || callId === undefined) return;
      turn.say('tool_delta', { chatId, turnId, callId, argsDelta });
      const preview = attempt.scanners[index]?.(argsDelta);
      if (preview) turn.say('compose_preview', { chatId, turnId, callId, ...preview });
    },
    retry({ delayMs }) {
      if (!acceptsOutput()) return;
      // Applied only to the conversation: `models` emits the event for all other listeners.
      turn.conversation.take('provider_retry', { turnId });
      attempt = startAttempt();
      const waited = turn.waiting('retry');
      // After the delay, the turn is waiting for the model again, even without output.
      const timer = setTimeout(waited, delayMs);
      retrying = () => {
        clearTimeout(timer);
        waited();
      };
    },
    notice(line) {
      if (!isOver) turn.say('text', { chatId, turnId, messageId: storage.createId('msg'), offset: 0, delta: line, channel: 'trace' });
    },
  };

  try {
    const reply = await untilAborted(deps.models.stream(request, call, turn.signal), turn.signal, closeGraceMs);
    // Some providers count calls from 1 or skip numbers.
    const callIds = attempt.callIds.filter((callId) => callId !== undefined);
    const toolCalls = reply.toolCalls.map((one, index) => ({ ...one, id: callIds[index] ?? storage.createId('call') }));
    const { messageId } = attempt;
    turn.conversation.take('usage', { turnId, purpose: 'chat' });
    if (reply.providerData && hasContent(reply.text, toolCalls)) {
      const { data, ...from } = reply.providerData;
      const ids = new Map(reply.toolCalls.map(({ id }, index) => [id, toolCalls[index]?.id ?? id]));
      turn.say('provider_data', { chatId, turnId, messageId, ...from, data: replaceTexts(data, ids) });
    }
    return { ...reply, toolCalls, messageId };
  } finally {
    isOver = true;
    retrying?.();
    waiting();
  }
}

interface Attempt {
  readonly messageId: string;
  /** Number of received UTF-16 code units. */
  length: number;
  reasoning: number;
  readonly callIds: string[];
  readonly scanners: (Scanner | undefined)[];
}
type Scanner = (piece: string) => ComposeDelta | undefined;
