// The calls of one reply: prepare (check, guard, approve), execute, finalize (after-hooks, event, conversation).
import type { Emitter } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import type { KeptImage, ToolCall } from 'agent-harness/plugins/agent';
import type { EventLog } from 'agent-harness/plugins/chats';
import type { ImagePart, ModelMessage, ModelToolCall } from 'agent-harness/plugins/models';
import type { Artifacts, CheckedCall, ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import type { LiveTurn } from './live-turn.ts';
import { outputOf, readableArgs, withEdits } from './outcome-text.ts';
import { toolMessage } from './replies.ts';
import { hookGraceMs, untilAborted } from './until-aborted.ts';

export interface CallDeps {
  readonly emitter: Emitter;
  readonly tools: Tools;
  readonly eventLog: EventLog;
  readonly artifacts: Artifacts;
  /** Saves pictures that a tool shows. Contract: never rejects. */
  keepImages(chatId: string, images: readonly ImagePart[]): Promise<{ readonly kept: readonly KeptImage[]; readonly shown: readonly ImagePart[] }>;
}

type Checks = ReadonlyMap<ModelToolCall, CheckedCall>;
type Failure = Extract<ToolOutcome, { ok: false }>;
type Prepared = { readonly status: 'ready'; readonly call: ToolCall } | { readonly status: 'refused'; readonly outcome: Failure; readonly call?: ToolCall };

/** How often a person's edits are checked again before the call is refused. */
const editLimit = 5;
const notRun = 'The turn was ended before the call ran.';

/** Runs `pure` and concurrent calls side by side and all others alone, in the order of the reply. Contract: rejects only when the turn must end. */
export async function runToolCalls(turn: LiveTurn, messageId: string, calls: readonly ModelToolCall[], deps: CallDeps): Promise<void> {
  const { chatId, turnId } = turn;
  const checks: Checks = new Map(calls.map((call) => [call, deps.tools.check(call.name, call.argsText)]));
  for (const call of calls) {
    const { id, name, argsText } = call;
    deps.emitter.emit('tool_start', { chatId, turnId, callId: id, messageId, name, argsText, args: shownArgs(call, checks.get(call)) });
  }
  const answers = new Map<string, ModelMessage>();
  try {
    for (const group of groupBesides(calls, checks, deps.tools)) {
      await Promise.all(group.map(async (call) => answers.set(call.id, await runCall(turn, call, checks.get(call), deps))));
      turn.signal.throwIfAborted();
    }
  } finally {
    answerAll(turn, calls, answers, deps.emitter);
  }
  // The next request does not wait for the disk. A disk that fails shows at the next flush that is awaited: before a call
  // with effects, and at the end of the turn.
  deps.eventLog.flushed(chatId).catch(() => undefined);
}

/** With the defaults that it will run with, so that what is shown is what is approved, kept and sent. */
function shownArgs({ name, argsText }: ModelToolCall, checked: CheckedCall | undefined): unknown {
  return checked?.ok === true && checked.tool.name === name ? checked.args : readableArgs(argsText);
}

function groupBesides(calls: readonly ModelToolCall[], checks: Checks, tools: Tools): ModelToolCall[][] {
  const groups: ModelToolCall[][] = [];
  let wasBeside = false;
  for (const call of calls) {
    const checked = checks.get(call);
    const tool = checked?.ok === true ? checked.tool : tools.find(call.name);
    const isBeside = tool?.replay === 'pure' || tool?.isConcurrent === true;
    const last = groups.at(-1);
    if (isBeside && wasBeside && last) last.push(call);
    else groups.push([call]);
    wasBeside = isBeside;
  }
  return groups;
}

/** Answers what the model reads. Rejects only where the journal cannot be written. */
async function runCall(turn: LiveTurn, model: ModelToolCall, early: CheckedCall | undefined, deps: CallDeps): Promise<ModelMessage> {
  const { id: callId, name, argsText } = model;
  const { chatId, turnId } = turn;
  turn.toolCount++;
  deps.emitter.emit('tool_running', { chatId, turnId, callId });
  // What did not fit may fit by now: a call before it can bring the tool.
  const checked = early?.ok === true ? early : deps.tools.check(name, argsText);
  const prepared = await prepare(turn, model, checked, deps);
  // How long a person took to decide says nothing about the call.
  const started = performance.now();
  const outcome = prepared.status === 'ready' ? await execute(turn, prepared.call, deps) : prepared.outcome;
  const ran = prepared.status === 'ready' ? { ...prepared.call, hasRun: true as const } : prepared.call;
  const final = ran ? await afterHooks(outcome, ran, deps) : outcome;
  // A tap that rewrites an outcome does not make its text trustworthy.
  const isUntrusted = outcome.isUntrusted === true || final.isUntrusted === true;
  if (isUntrusted) turn.isTainted = turn.conversation.isTainted = true;
  // Somebody who looked at it afterwards knows better than the tool.
  if (isUntrusted && final.artifactId !== undefined && outcome.isUntrusted !== true) await deps.artifacts.distrust(chatId, final.artifactId);
  const { kept, shown } = final.ok && final.images ? await deps.keepImages(chatId, final.images) : { kept: [], shown: [] };
  const output = outputOf(final);
  deps.emitter.emit('tool_result', {
    ...{ chatId, turnId, callId, name, ok: final.ok, output },
    durationMs: Math.round((performance.now() - started) * 10) / 10,
    ...(final.artifactId !== undefined ? { artifactId: final.artifactId, truncated: true } : {}),
    ...(isUntrusted ? { untrusted: true } : {}),
    ...(kept.length > 0 ? { images: kept } : {}),
  });
  return toolMessage(callId, name, final.ok, output, isUntrusted, shown);
}

async function prepare(turn: LiveTurn, model: ModelToolCall, checked: CheckedCall, { emitter, tools }: CallDeps): Promise<Prepared> {
  const { signal } = turn;
  if (!checked.ok) {
    reveal(turn, model.name, tools);
    return { status: 'refused', outcome: checked };
  }
  let call: ToolCall = { callId: model.id, tool: checked.tool, args: checked.args, turn };
  const refuse = (error: string, hint?: string): Prepared => ({
    status: 'refused',
    outcome: { ok: false, error, ...(hint === undefined ? {} : { hint }) },
    call,
  });
  try {
    let next = await untilAborted(emitter.call('tool.prepare', call), signal, hookGraceMs);
    for (let edits = 0; edits < editLimit; edits++) {
      const again = tools.checkArgs(next.tool.name, next.args);
      if (!again.ok) return { status: 'refused', outcome: again, call };
      call = { ...next, args: again.args };
      const refusal = await untilAborted(emitter.call('tool.before', call), signal, hookGraceMs);
      const verdict = refusal ?? (await untilAborted(emitter.call('tool.gate', call), signal, hookGraceMs));
      if (signal.aborted) return refuse(notRun);
      if (!verdict) return refuse('Nobody is there to decide whether this call may run, so nothing runs.', 'Tell the user.');
      if ('allow' in verdict) return tools.find(call.tool.name) ? { status: 'ready', call } : refuse(`${call.tool.name} was taken away before the call ran.`);
      if ('deny' in verdict) return refuse(verdict.deny, verdict.hint);
      next = { ...call, args: verdict.editedArgs, approvedBy: verdict.approvedBy };
    }
    return refuse('The arguments were edited too often.');
  } catch (fault) {
    return refuse(signal.aborted ? notRun : `The call could not be prepared: ${messageOf(fault)}`);
  }
}

/** A call that does not fit shows that the model has not seen what the tool wants. */
function reveal({ chatId }: LiveTurn, name: string, tools: Tools): void {
  const tool = tools.find(name);
  if (tool && !tools.visible(chatId).specs.some((spec) => spec.name === name)) {
    tools.reveal(chatId, tool.family);
  }
}

async function execute(turn: LiveTurn, call: ToolCall, { emitter, eventLog, tools }: CallDeps): Promise<ToolOutcome> {
  const { chatId, turnId, workspaceRoot, signal } = turn;
  const { callId, tool } = call;
  // What is on disk before an effect decides what a restart may assume; a pure call has no effect.
  if (tool.replay !== 'pure') await eventLog.flushed(chatId);
  const waiting = turn.waiting('tool');
  let isOver = false;
  turn.running.add(tool.name);
  try {
    const context = {
      ...{ chatId, turnId, callId, workspaceRoot, signal },
      progress(note: string) {
        // A tool that was left behind may still talk, but its turn is over.
        if (!isOver) emitter.emit('tool_progress', { chatId, turnId, callId, note });
      },
    };
    const outcome = await tools.run(tool, { ...call.args }, context);
    return call.approvedBy === undefined ? outcome : withEdits(outcome, call.args);
  } finally {
    isOver = true;
    turn.running.delete(tool.name);
    waiting();
  }
}

async function afterHooks(outcome: ToolOutcome, call: ToolCall, { emitter }: CallDeps): Promise<ToolOutcome> {
  try {
    return await untilAborted(emitter.call('tool.after', outcome, call), call.turn.signal, hookGraceMs);
  } catch {
    return outcome; // the turn is being aborted, and nobody waits for taps
  }
}

/** Every call of a reply gets an answer, in the order of the reply: providers refuse a conversation where one is missing. */
function answerAll(turn: LiveTurn, calls: readonly ModelToolCall[], answers: ReadonlyMap<string, ModelMessage>, emitter: Emitter): void {
  const { chatId, turnId, conversation } = turn;
  for (const { id, name } of calls) {
    const answer = answers.get(id);
    if (!answer) emitter.emit('tool_result', { chatId, turnId, callId: id, name, ok: false, output: notRun, durationMs: 0, notRun: true });
    conversation.messages.push(answer ?? toolMessage(id, name, false, notRun, false));
  }
}
