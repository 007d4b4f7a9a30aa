// The calls of one reply: prepare (check, guard, approve), execute, finalize (after-hooks, event, conversation).
import type { Emitter } from 'agent-harness/kernel';
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { EventLog } from 'agent-harness/plugins/chats';
import type { ModelToolCall } from 'agent-harness/plugins/models';
import type { RegisteredTool, ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import { toolMessage } from './conversation.ts';
import type { LiveTurn } from './live-turn.ts';

export interface CallDeps {
  readonly emitter: Emitter;
  readonly tools: Tools;
  readonly eventLog: EventLog;
}

type Failure = Extract<ToolOutcome, { ok: false }>;
type Prepared = { readonly status: 'ready'; readonly call: ToolCall } | { readonly status: 'refused'; readonly outcome: Failure; readonly call?: ToolCall };
interface Finished {
  readonly name: string;
  readonly callId: string;
  readonly outcome: ToolOutcome;
}

/** How long an aborted tool may take to end before it is left behind, in milliseconds. */
const abortGraceMs = 1_500;
/** How often a person's edits are checked again before the call is refused. */
const editLimit = 5;

/** Runs `pure` calls side by side and all others alone, in the order of the reply. Contract: rejects only when the turn is aborted. */
export async function runToolCalls(turn: LiveTurn, messageId: string, calls: readonly ModelToolCall[], deps: CallDeps): Promise<void> {
  for (const { id, name, argsText } of calls) {
    deps.emitter.emit('tool_start', { chatId: turn.chatId, turnId: turn.turnId, callId: id, messageId, name, argsText, args: parseLeniently(argsText) });
  }
  const finished: Finished[] = [];
  try {
    for (const group of groupByReplay(calls, deps.tools)) {
      finished.push(...(await Promise.all(group.map((call) => runCall(turn, call, deps)))));
      turn.signal.throwIfAborted();
    }
  } finally {
    answerAll(turn, calls, finished, deps.emitter);
  }
  // The next request does not wait for the disk. A disk that fails shows at the next flush that is awaited: before a call
  // with effects, and at the end of the turn.
  deps.eventLog.flushed(turn.chatId).catch(() => undefined);
}

function groupByReplay(calls: readonly ModelToolCall[], tools: Tools): ModelToolCall[][] {
  const groups: ModelToolCall[][] = [];
  let wasPure = false;
  for (const call of calls) {
    const isPure = tools.find(call.name)?.replay === 'pure';
    const last = groups.at(-1);
    if (isPure && wasPure && last) last.push(call);
    else groups.push([call]);
    wasPure = isPure;
  }
  return groups;
}

async function runCall(turn: LiveTurn, model: ModelToolCall, deps: CallDeps): Promise<Finished> {
  const started = performance.now();
  turn.toolCount++;
  const prepared = await prepare(turn, model, deps);
  const outcome = prepared.status === 'ready' ? await execute(turn, prepared.call, deps) : prepared.outcome;
  const final = prepared.call ? await deps.emitter.call('tool.after', outcome, prepared.call) : outcome;
  if (final.ok && final.isUntrusted) turn.isTainted = turn.conversation.isTainted = true;
  deps.emitter.emit('tool_result', {
    chatId: turn.chatId,
    turnId: turn.turnId,
    callId: model.id,
    name: model.name,
    ok: final.ok,
    output: outputOf(final),
    durationMs: Math.round((performance.now() - started) * 10) / 10,
    ...(final.ok && final.artifactId !== undefined ? { artifactId: final.artifactId, truncated: true } : {}),
    ...(final.ok && final.isUntrusted ? { untrusted: true } : {}),
  });
  return { name: model.name, callId: model.id, outcome: final };
}

async function prepare(turn: LiveTurn, model: ModelToolCall, { emitter, tools }: CallDeps): Promise<Prepared> {
  const checked = tools.check(model.name, model.argsText);
  if (!checked.ok) return { status: 'refused', outcome: checked };
  let call: ToolCall = { callId: model.id, tool: checked.tool, args: checked.args, turn };
  try {
    const prepared = await emitter.call('tool.prepare', call);
    for (let edits = 0, next = prepared; edits < editLimit; edits++) {
      const again = tools.checkArgs(next.tool.name, next.args);
      if (!again.ok) return { status: 'refused', outcome: again, call };
      call = { ...next, args: again.args };
      const verdict = await emitter.call('tool.before', call);
      if (turn.signal.aborted) return { status: 'refused', outcome: { ok: false, error: 'The turn was aborted before the call ran.' }, call };
      if (!verdict) return { status: 'ready', call };
      if ('deny' in verdict)
        return { status: 'refused', outcome: { ok: false, error: verdict.deny, ...(verdict.hint === undefined ? {} : { hint: verdict.hint }) }, call };
      next = { ...call, args: verdict.editedArgs, approvedBy: verdict.approvedBy };
    }
    return { status: 'refused', outcome: { ok: false, error: 'The arguments were edited too often.' }, call };
  } catch (fault) {
    return {
      status: 'refused',
      outcome: { ok: false, error: `The call could not be prepared: ${fault instanceof Error ? fault.message : String(fault)}` },
      call,
    };
  }
}

async function execute(turn: LiveTurn, call: ToolCall, { emitter, eventLog, tools }: CallDeps): Promise<ToolOutcome> {
  const { chatId, turnId, workspaceRoot, signal } = turn;
  // What is on disk before an effect decides what a restart may assume; a pure call has no effect.
  if (call.tool.replay !== 'pure') await eventLog.flushed(chatId);
  const waiting = turn.waiting('tool');
  turn.running.add(call.tool.name);
  try {
    const context = {
      chatId,
      turnId,
      callId: call.callId,
      workspaceRoot,
      signal,
      progress: (note: string) => emitter.emit('tool_progress', { chatId, turnId, callId: call.callId, note }),
    };
    const outcome = await orLeftBehind(tools.run(call.tool, { ...call.args }, context), call.tool, signal);
    return call.approvedBy === undefined || !outcome.ok
      ? outcome
      : { ...outcome, output: `(Run with arguments that the user edited: ${JSON.stringify(call.args)})\n${outcome.output}` };
  } finally {
    turn.running.delete(call.tool.name);
    waiting();
  }
}

/** A tool that ignores the abort must not hold the turn. */
async function orLeftBehind(work: Promise<ToolOutcome>, tool: RegisteredTool, signal: AbortSignal): Promise<ToolOutcome> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const abandoned = new Promise<ToolOutcome>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve({ ok: false, error: `${tool.name} did not stop in time and was left behind.` }), abortGraceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}

/** Every call of a reply gets an answer, in the order of the reply: providers refuse a conversation where one is missing. */
function answerAll(turn: LiveTurn, calls: readonly ModelToolCall[], finished: readonly Finished[], emitter: Emitter): void {
  for (const call of calls) {
    const done = finished.find((one) => one.callId === call.id);
    const output = done ? outputOf(done.outcome) : 'Not run: the turn was aborted.';
    if (!done) emitter.emit('tool_result', { chatId: turn.chatId, turnId: turn.turnId, callId: call.id, name: call.name, ok: false, output, durationMs: 0 });
    turn.conversation.messages.push(
      toolMessage(call.id, call.name, done?.outcome.ok ?? false, output, done?.outcome.ok === true && done.outcome.isUntrusted === true),
    );
  }
}

function outputOf(outcome: ToolOutcome): string {
  if (outcome.ok) return outcome.output;
  return outcome.hint === undefined ? outcome.error : `${outcome.error}\n${outcome.hint}`;
}

/** For people to look at; what runs is checked on its own. */
function parseLeniently(argsText: string): unknown {
  try {
    return JSON.parse(argsText === '' ? '{}' : argsText);
  } catch {
    return argsText;
  }
}
