// The turn, top to bottom: build the prompt, stream the reply, run its calls, until there are none. Features are taps.
import type { KernelError } from 'agent-harness/kernel';
import type { Prompt, TurnEnd, TurnEndReason } from 'agent-harness/plugins/agent';
import type { ModelRequest } from 'agent-harness/plugins/models';
import { assistantMessage } from './conversation.ts';
import { addUsage, type LiveTurn } from './live-turn.ts';
import { streamReply, type ReplyDeps } from './model-stream.ts';
import { baseSections } from './prompt.ts';
import { runToolCalls, type CallDeps } from './tool-calls.ts';

export interface LoopConfig {
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly lengthResumes: number;
  readonly sessionMode: string;
}

export interface LoopDeps extends ReplyDeps, CallDeps {
  readonly title: string;
  readonly config: LoopConfig;
  /** Logs and names a fault that has no code of its own. */
  unexpected(turnId: string, fault: unknown): KernelError;
}

interface Ending {
  readonly reason: TurnEndReason;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Contract: never rejects; answers how the turn ended. The caller emits `turn_end`. */
export async function runTurn(turn: LiveTurn, deps: LoopDeps): Promise<TurnEnd> {
  const ending = await attempt(turn, deps);
  return {
    chatId: turn.chatId,
    turnId: turn.turnId,
    reason: ending.reason,
    durationMs: Date.now() - turn.startedAt,
    rounds: turn.round,
    tools: turn.toolCount,
    usage: turn.usage,
    ...(ending.error ? { error: ending.error } : {}),
  };
}

async function attempt(turn: LiveTurn, deps: LoopDeps): Promise<Ending> {
  try {
    const { emitter } = deps;
    emitter.emit('turn_start', { chatId: turn.chatId, turnId: turn.turnId, messageId: turn.messageId, model: deps.models.route().model });
    await emitter.call('turn.before', turn);
    const intercepted = await emitter.call('turn.intercept', turn);
    if (intercepted) {
      say(turn, intercepted.text, deps);
      return { reason: 'done' };
    }
    return await runRounds(turn, deps);
  } catch (fault) {
    return endingOf(turn, fault, deps);
  }
}

async function runRounds(turn: LiveTurn, deps: LoopDeps): Promise<Ending> {
  const { config, emitter } = deps;
  let resumes = 0;
  let wasSentBack = false;
  for (;;) {
    turn.signal.throwIfAborted();
    if (turn.round >= config.maxRounds) return { reason: 'round_limit' };
    turn.round++;
    await emitter.call('round.before', turn);
    turn.conversation.messages.push(...turn.steers.splice(0));

    const reply = await streamReply(turn, await buildRequest(turn, deps), deps);
    turn.usage = addUsage(turn.usage, reply.usage);
    turn.conversation.messages.push(assistantMessage(reply.text, reply.toolCalls));

    if (reply.toolCalls.length > 0) {
      await runToolCalls(turn, reply.messageId, reply.toolCalls, deps);
      await emitter.call('round.after', turn);
      continue;
    }
    await emitter.call('round.after', turn);
    if (reply.finish === 'length' && resumes < config.lengthResumes) {
      resumes++;
      continue;
    }
    if (turn.steers.length > 0) continue;
    const answer = await emitter.call('turn.finalize', { text: reply.text, reason: 'done' }, turn);
    if (answer.sendBack === undefined || wasSentBack) return { reason: answer.reason };
    wasSentBack = true;
    turn.conversation.messages.push({ role: 'system', text: answer.sendBack });
  }
}

async function buildRequest(turn: LiveTurn, { config, emitter, title, tools }: LoopDeps): Promise<ModelRequest> {
  const { chatId, turnId, conversation } = turn;
  const start: Prompt = { system: baseSections(title, turn.workspaceRoot, config.sessionMode, turn.startedAt), messages: conversation.messages, tail: [] };
  const prompt = await emitter.call('prompt.build', start, turn);
  const request: ModelRequest = {
    system: prompt.system.map((section) => section.text).join('\n\n'),
    messages: [...prompt.messages, ...prompt.tail],
    tools: tools.visible(chatId).specs,
    maxTokens: config.maxTokens,
    purpose: 'chat',
    chatId,
    turnId,
  };
  return emitter.call('model.request', request, turn);
}

/** A reply that no model wrote. */
function say(turn: LiveTurn, text: string, { emitter, storage }: LoopDeps): void {
  const messageId = storage.createId('msg');
  emitter.emit('text', { chatId: turn.chatId, turnId: turn.turnId, messageId, offset: 0, delta: text, channel: 'user' });
  turn.conversation.messages.push(assistantMessage(text, []));
}

function endingOf(turn: LiveTurn, fault: unknown, deps: LoopDeps): Ending {
  const { code, message } = isCoded(fault) ? fault : deps.unexpected(turn.turnId, fault);
  if (code === 'AGENT_ERR_ABORTED') return { reason: 'aborted' };
  return { reason: code.endsWith('_ERR_BUDGET') ? 'budget' : 'error', error: { code: wireCode(code), message } };
}

function isCoded(fault: unknown): fault is KernelError {
  return fault instanceof Error && 'code' in fault && String(fault.code).includes('_ERR_');
}

/** `MODELS_ERR_PROVIDER_AUTH` → `provider_auth`, as everywhere on the wire. */
function wireCode(code: string): string {
  return code.replace(/^[A-Z0-9_]*?_ERR_/, '').toLowerCase();
}
