// Runs the turn: builds the prompt, streams the reply, and runs its calls, until a reply has no calls. Features are implemented as taps.
import type { KernelError } from 'agent-harness/kernel';
import { untilAborted } from '#lib/async';
import { codeOf } from '#lib/errors';
import type { Interception, Prompt, PromptTail, TurnEnd, TurnEndReason, TurnPorts } from 'agent-harness/plugins/agent';
import type { ContextOverflow, ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import { hasContent } from 'agent-harness/transcript';
import { addUsage, type LiveTurn } from './live-turn.ts';
import { streamReply, type StreamedReply } from './model-stream.ts';
import { baseSections } from './prompt.ts';
import { hasSound, withoutSound } from './sounds.ts';
import { runToolCalls } from './tool-calls.ts';
import { hookGraceMs } from './limits.ts';

export interface LoopDeps extends TurnPorts {
  readonly title: string;
  /** Logs an error that has no code, and returns it with a code. */
  unexpected(turnId: string, fault: unknown): KernelError;
}

interface Ending {
  readonly reason: TurnEndReason;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Maximum number of shortened retries after the context window overflowed. If the provider reports no limit, each retry has half the length. */
const overflowTries = 4;

/** Runs a turn to its end, and returns the reason for the end. Never rejects. The caller emits `turn_end`. */
export async function runTurn(turn: LiveTurn, deps: LoopDeps): Promise<TurnEnd> {
  const ending = await attempt(turn, deps);
  return {
    chatId: turn.chatId,
    turnId: turn.turnId,
    reason: ending.reason,
    durationMs: deps.clock.now() - turn.startedAt,
    rounds: turn.round,
    tools: turn.toolCount,
    usage: turn.usage,
    ...(ending.error ? { error: ending.error } : {}),
  };
}

async function attempt(turn: LiveTurn, deps: LoopDeps): Promise<Ending> {
  try {
    const { emitter } = deps;
    const { model: chosen, effort } = turn.task ?? turn.chat ?? (await deps.chatOf(turn.chatId));
    if (chosen !== undefined) turn.model = chosen;
    if (effort !== undefined) turn.effort = effort;
    turn.say('turn_start', { chatId: turn.chatId, turnId: turn.turnId, messageId: turn.messageId, model: (await deps.models.routeNow(chosen)).model });
    await emitter.call('turn.before', [turn], { signal: turn.signal, graceMs: hookGraceMs });
    const intercepted = turn.origin ? undefined : await emitter.call('turn.intercept', [turn], { signal: turn.signal, graceMs: hookGraceMs });
    if (intercepted) {
      await actWithoutModel(turn, intercepted, deps);
      return { reason: 'done' };
    }
    turn.takesSteers = true;
    return await runRounds(turn, deps);
  } catch (fault) {
    return endingOf(turn, fault, deps);
  } finally {
    turn.takesSteers = false;
  }
}

async function runRounds(turn: LiveTurn, deps: LoopDeps): Promise<Ending> {
  const { config, emitter } = deps;
  let resumes = 0;
  for (;;) {
    turn.signal.throwIfAborted();
    if (turn.round >= config.maxRounds) return { reason: 'round_limit' };
    turn.round++;
    await emitter.call('round.before', [turn], { signal: turn.signal, graceMs: hookGraceMs });
    receiveSteers(turn);

    const reply = await askModel(turn, deps);
    turn.usage = addUsage(turn.usage, reply.usage);
    if (reply.finish === 'content_filter') trace(turn, deps, 'The content filter of the provider ended this reply, so it may be incomplete.');
    if (reply.toolCalls.length > 0) await runToolCalls(turn, reply.messageId, reply.toolCalls, deps);
    await emitter.call('round.after', [turn], { signal: turn.signal, graceMs: hookGraceMs });

    if (reply.toolCalls.length > 0) continue;
    if (reply.finish === 'length' && resumes < config.lengthResumes) {
      resumes++;
      continue;
    }
    if (turn.steers.length > 0) continue;
    const answer = await emitter.call('turn.finalize', [{ text: reply.text, reason: 'done' }, turn], { signal: turn.signal, graceMs: hookGraceMs });
    if (answer.sendBack !== undefined && turn.sentBack === undefined) {
      turn.sentBack = { role: 'system', text: answer.sendBack };
      trace(turn, deps, `The answer was sent back: ${answer.sendBack}`);
    }
    // Also handles messages that joined while the answer was being processed; after the return, no message can join.
    else if (turn.steers.length === 0) return { reason: answer.reason };
  }
}

/** Requests a reply. If the provider rejects the request as too long, rebuilds it as long as a tap can shorten it. */
async function askModel(turn: LiveTurn, deps: LoopDeps): Promise<StreamedReply> {
  for (let tries = 1; ; tries++) {
    try {
      const request = await buildRequest(turn, deps);
      await untilAborted(turn.kept(), turn.signal, hookGraceMs);
      return await streamReply(turn, request, deps);
    } catch (fault) {
      if (turn.signal.aborted || tries >= overflowTries || !isCoded(fault) || !fault.code.endsWith('_ERR_CONTEXT_OVERFLOW')) throw fault;
      const isShorter = await deps.emitter.call('context.overflow', [turn, fault.details as ContextOverflow], { signal: turn.signal, graceMs: hookGraceMs });
      if (!isShorter) throw fault;
      trace(turn, deps, `The request exceeded the context of the model and is sent again in a shorter form: ${fault.message}`);
    }
  }
}

/** Emits a line about the turn itself, separate from the output of the model. */
function trace({ chatId, turnId, say }: LiveTurn, { storage }: LoopDeps, line: string): void {
  say('text', { chatId, turnId, messageId: storage.createId('msg'), offset: 0, delta: line, channel: 'trace' });
}

function receiveSteers({ chatId, turnId, steers, say }: LiveTurn): void {
  if (steers.length > 0) say('steer_heard', { chatId, turnId, messageIds: steers.splice(0) });
}

async function buildRequest(turn: LiveTurn, { config, emitter, title, tools, models }: LoopDeps): Promise<ModelRequest> {
  const { chatId, turnId, conversation, signal } = turn;
  conversation.settle();
  const system = baseSections(title, turn.workspaceRoot, config.sessionMode, turn.startedAt);
  const effort = turn.effort ?? config.effort;
  const isDeaf = conversation.messages.some(hasSound) && !(await models.takesAudio(turn.model));
  const messages = isDeaf ? withoutSound(conversation.messages) : conversation.messages;
  const start: Prompt = { system, messages, tail: turn.sentBack ? [turn.sentBack] : [] };
  const prompt = await emitter.call('prompt.build', [start, turn], { signal, graceMs: hookGraceMs });
  const request: ModelRequest = {
    system: prompt.system.map((section) => section.text).join('\n\n'),
    // A tap may return messages from before the model of the chat was changed.
    messages: withNotes(turn, isDeaf ? withoutSound(prompt.messages) : prompt.messages, prompt.tail),
    tools: tools.visible(chatId).specs,
    maxTokens: config.maxTokens,
    purpose: turn.task ? 'subtask' : 'chat',
    ...(turn.model === undefined ? {} : { model: turn.model }),
    ...(effort ? { effort } : {}),
    chatId,
    turnId,
  };
  return emitter.call('model.request', [request, turn], { signal, graceMs: hookGraceMs });
}

/** Returns the conversation with the lasting notes, followed by the notes for this round. */
function withNotes({ conversation: { notes } }: LiveTurn, messages: readonly ModelMessage[], tail: readonly PromptTail[]): ModelMessage[] {
  const last = messages.at(-1);
  const known = (last && notes.get(last)) ?? [];
  // A request that is rebuilt in the same round already contains its notes.
  const fresh = tail.filter(({ stays, text }) => stays && !known.some((one) => one.text === text));
  if (last && fresh.length > 0) notes.set(last, [...known, ...fresh]);
  return [...messages.flatMap((message) => [message, ...(notes.get(message) ?? [])]), ...(last ? [] : fresh), ...tail.filter(({ stays }) => !stays)];
}

/** Carries out the result of a turn without a model. */
async function actWithoutModel(turn: LiveTurn, reply: Interception, deps: LoopDeps): Promise<void> {
  const { storage } = deps;
  const { chatId, turnId, say } = turn;
  const messageId = storage.createId('msg');
  const text = 'text' in reply ? reply.text : '';
  const calls = 'calls' in reply ? reply.calls.map((call) => ({ ...call, id: storage.createId('call') })) : [];
  if (!hasContent(text, calls)) return;
  if (text !== '') say('text', { chatId, turnId, messageId, offset: 0, delta: text, channel: 'user' });
  if (calls.length > 0) await runToolCalls(turn, messageId, calls, deps);
}

function endingOf(turn: LiveTurn, fault: unknown, deps: LoopDeps): Ending {
  // If the turn was aborted, the abort is the cause of any error.
  const cause: unknown = turn.signal.aborted ? turn.signal.reason : fault;
  const { code, message } = isCoded(cause) ? cause : deps.unexpected(turn.turnId, cause);
  if (code === 'AGENT_ERR_ABORTED') return { reason: 'aborted' };
  if (code === 'AGENT_ERR_SERVER_ENDING') return { reason: 'interrupted' };
  return { reason: reasonOf(code), error: { code: wireCode(code), message } };
}

function reasonOf(code: string): TurnEndReason {
  if (code === 'AGENT_ERR_TURN_TIMEOUT') return 'round_limit';
  return /_ERR_([A-Z]+_)?BUDGET$/.test(code) ? 'budget' : 'error';
}

function isCoded(fault: unknown): fault is KernelError {
  return codeOf(fault)?.includes('_ERR_') === true;
}

/** Returns the wire form of an error code: `MODELS_ERR_PROVIDER_AUTH` → `provider_auth`. */
function wireCode(code: string): string {
  return code.replace(/^[A-Z0-9_]*?_ERR_/, '').toLowerCase();
}
