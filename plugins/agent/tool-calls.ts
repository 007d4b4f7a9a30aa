// Runs the tool calls of one reply: validation, approval gate, execution, hooks after the call, and result event.
import { untilAborted } from '#lib/async';
import type { Denial, Gate, ToolCall, TurnPorts } from 'agent-harness/plugins/agent';
import type { ModelToolCall } from 'agent-harness/plugins/models';
import type { CheckedCall, Grant, ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import type { LiveTurn } from './live-turn.ts';
import { outputOf, readableArgs, withEdits } from './outcome-text.ts';
import { shownAs, type ShownAs } from './tool-call-display.ts';
import { hookGraceMs } from './limits.ts';

type CallDeps = Pick<TurnPorts, 'emitter' | 'clock' | 'tools' | 'gate' | 'eventLog' | 'artifacts' | 'keepImages'>;

type Checks = ReadonlyMap<ModelToolCall, CheckedCall>;
const notRun = 'The turn ended before the call ran.';

/** Runs `pure` and concurrent calls in parallel and all others one after the other, in the order of the reply. Rejects only when the turn must end. */
export async function runToolCalls(turn: LiveTurn, messageId: string, calls: readonly ModelToolCall[], deps: CallDeps): Promise<void> {
  const { chatId, turnId } = turn;
  const checks: Checks = new Map(calls.map((call) => [call, deps.tools.check(call.name, call.argsText)]));
  for (const call of calls) {
    const { id, name, argsText } = call;
    turn.say('tool_start', {
      chatId,
      turnId,
      callId: id,
      messageId,
      name,
      argsText,
      args: shownArgs(call, checks.get(call)),
      ...shownCall(call, checks.get(call), deps),
    });
  }
  const answered = new Set<ModelToolCall>();
  try {
    for (const group of groupBesides(calls, checks, deps.tools)) {
      await Promise.all(
        group.map(async (call) => {
          await runCall(turn, call, checks.get(call), deps);
          answered.add(call);
        }),
      );
      turn.signal.throwIfAborted();
    }
  } finally {
    answerAll(turn, calls, answered);
  }
  // The next request does not wait for the disk. A disk error is reported by the next awaited flush: before a call with effects, or at the end of the turn.
  deps.eventLog.flushed(chatId).catch(() => undefined);
}

/** Returns the arguments with defaults, because the arguments that are approved, stored and sent must be those that clients display. */
function shownArgs({ name, argsText }: ModelToolCall, checked: CheckedCall | undefined): unknown {
  return checked?.ok === true && checked.tool.name === name ? checked.args : readableArgs(argsText);
}

/** Returns the display data of a call. A tool that replaces another is displayed under its own name. */
function shownCall({ name }: ModelToolCall, checked: CheckedCall | undefined, { tools }: CallDeps): ShownAs {
  return checked?.ok === true && checked.tool.name === name ? shownAs(checked.tool, checked.args) : shownAs(tools.find(name));
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

/** Runs one call and emits the result for the model. Rejects only if the journal cannot be written. */
async function runCall(turn: LiveTurn, model: ModelToolCall, early: CheckedCall | undefined, deps: CallDeps): Promise<void> {
  const { id: callId, name, argsText } = model;
  const { chatId, turnId } = turn;
  turn.toolCount++;
  turn.say('tool_running', { chatId, turnId, callId });
  // Checked again, because an earlier call may have added the tool.
  const checked = early?.ok === true ? early : deps.tools.check(name, argsText);
  if (!checked.ok) reveal(turn, name, deps.tools);
  const call: ToolCall | undefined = checked.ok ? { callId, tool: checked.tool, args: checked.args, turn } : undefined;
  const answer = call ? await authorize(call, deps.gate) : undefined;
  const grant = answer && !('deny' in answer) ? answer : undefined;
  // The duration does not include the time until the approval.
  const started = deps.clock.elapsed();
  const outcome = grant ? await execute(turn, grant, deps) : refusalOf(checked, answer);
  const ran: ToolCall | undefined = call && grant ? { ...call, tool: grant.tool, args: grant.args, hasRun: true } : call;
  const final = ran ? await afterHooks(outcome, ran, deps) : outcome;
  // Text does not become trustworthy because a tap rewrites the outcome of a call.
  const isUntrusted = outcome.isUntrusted === true || final.isUntrusted === true;
  if (isUntrusted) turn.isTainted = true;
  // A later tap may have marked only the outcome as untrusted, so the artifact that the tool stored is marked here.
  if (isUntrusted && final.artifactId !== undefined && outcome.isUntrusted !== true) await deps.artifacts.distrust(chatId, final.artifactId);
  const { kept, shown } = final.ok && final.images ? await deps.keepImages(chatId, final.images) : { kept: [], shown: [] };
  const output = outputOf(final);
  const result = {
    ...{ chatId, turnId, callId, name, ok: final.ok, output },
    durationMs: Math.round((deps.clock.elapsed() - started) * 10) / 10,
    ...(final.artifactId !== undefined ? { artifactId: final.artifactId, truncated: true } : {}),
    ...(isUntrusted ? { untrusted: true } : {}),
    ...(isUntrusted && outcome.isUntrusted !== true && final.fromWorkspace === true ? { fromWorkspace: true } : {}),
    ...(grant && !final.ok && turn.signal.aborted ? { stopped: true } : {}),
    ...(kept.length > 0 ? { images: kept } : {}),
    ...(final.ok && final.view !== undefined ? { view: final.view } : {}),
  };
  turn.say('tool_result', result, { images: shown });
}

/** Requests the decision of the gate. When the turn ends, a gate that hangs is abandoned. */
async function authorize(call: ToolCall, gate: Gate): Promise<Grant | Denial> {
  const { signal } = call.turn;
  const answer = await untilAborted(gate.authorize(call), signal, hookGraceMs).catch(() => undefined);
  return answer === undefined || signal.aborted ? { deny: notRun } : answer;
}

function refusalOf(checked: CheckedCall, answer: Grant | Denial | undefined): ToolOutcome {
  if (!checked.ok) return checked;
  const { deny, hint } = answer as Denial;
  return { ok: false, error: deny, ...(hint === undefined ? {} : { hint }) };
}

/** From now on, describes the tool to the model, because invalid arguments show that the model has not seen its schema. */
function reveal({ chatId }: LiveTurn, name: string, tools: Tools): void {
  const tool = tools.find(name);
  if (tool && !tools.visible(chatId).specs.some((spec) => spec.name === name)) {
    tools.reveal(chatId, tool.family);
  }
}

async function execute(turn: LiveTurn, grant: Grant, { eventLog, tools }: CallDeps): Promise<ToolOutcome> {
  const { chatId, turnId, signal } = turn;
  const { callId, tool } = grant;
  // A restart relies on the journal lines that precede an effect; a pure call has no effect.
  if (tool.replay !== 'pure') await eventLog.flushed(chatId);
  const stopWaiting = turn.waiting('tool');
  let isOver = false;
  turn.running.add(tool.name);
  try {
    const outcome = await tools.run(grant, {
      signal,
      progress(note) {
        // An abandoned tool may still report progress after its turn has ended.
        if (!isOver) turn.say('tool_progress', { chatId, turnId, callId, note });
      },
      waiting: (waitingFor) => turn.waiting(waitingFor),
    });
    return grant.editedBy === undefined ? outcome : withEdits(outcome, grant.args);
  } finally {
    isOver = true;
    turn.running.delete(tool.name);
    stopWaiting();
  }
}

async function afterHooks(outcome: ToolOutcome, call: ToolCall, { emitter }: CallDeps): Promise<ToolOutcome> {
  try {
    return await emitter.call('tool.after', [outcome, call], { signal: call.turn.signal, graceMs: hookGraceMs });
  } catch {
    return outcome; // the turn is being aborted, so taps are not awaited
  }
}

/** Adds a result for every call of a reply, in order, because providers reject a conversation in which a result is missing. */
function answerAll({ chatId, turnId, signal, say }: LiveTurn, calls: readonly ModelToolCall[], answered: ReadonlySet<ModelToolCall>): void {
  for (const call of calls) {
    const { id: callId, name } = call;
    if (answered.has(call)) continue;
    const stopped = signal.aborted ? { stopped: true } : {};
    say('tool_result', { chatId, turnId, callId, name, ok: false, output: notRun, durationMs: 0, notRun: true, ...stopped });
  }
}
