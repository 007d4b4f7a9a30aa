// Runs a task, which is a nested turn with its own conversation and at most the rights of the parent turn.
import type { Events } from 'agent-harness/kernel';
import type { TaskEnd, TaskStart, TurnPorts } from 'agent-harness/plugins/agent';
import type { Tools } from 'agent-harness/plugins/tools';
import { createConversation } from 'agent-harness/transcript';
import { addUsage, createLiveTurn, type LiveTurn, type Say } from './live-turn.ts';
import { runTurn, type LoopDeps } from './turn-loop.ts';

/** Maximum length of a tool result in the events of a task, in UTF-16 code units; the full text is in the parent's answer or in an artifact. */
const shownOutput = 2_000;

/**
 * Runs a task to its end. Its cost counts towards the parent turn; external content that it read also taints the parent. Contract: rejects only with the
 * signal's reason.
 * @param aborted reason for a task whose signal was aborted
 */
export async function runTask(parent: LiveTurn, task: TaskStart, loop: LoopDeps, signal: AbortSignal, aborted: () => Error): Promise<TaskEnd> {
  signal.throwIfAborted();
  const { chatId, turnId, workspaceRoot, kept } = parent;
  const taskId = loop.storage.createId('task');
  const conversation = createConversation();
  conversation.isTainted = parent.isTainted;
  const { messageId } = parent;
  const start = { turnId, chatId, messageId, text: task.goal, workspaceRoot, kept };
  const abort = new AbortController();
  const emitter = narrate(loop.emitter, parent.say, { taskId, callId: task.callId, goal: task.goal });
  const turn: LiveTurn = Object.assign(createLiveTurn(start, conversation, abort.signal, emitter, loop.clock.now()), {
    isRoot: false,
    task: {
      ...{ taskId, model: task.model ?? parent.model ?? loop.models.route().model },
      ...(parent.effort === undefined ? {} : { effort: parent.effort }),
    },
  });
  // The message has its own id, because the user may remove the message of the parent turn separately.
  turn.say('message_accepted', { chatId, turnId, messageId: taskId, text: task.goal, attachments: [] });
  const { waiting } = turn;
  // The parent turn shows that a user's answer is awaited; all other waits belong to the task.
  turn.waiting = (waitingFor) => (waitingFor === 'approval' || waitingFor === 'answer' ? parent : { waiting }).waiting(waitingFor);
  signal.addEventListener('abort', () => abort.abort(aborted()), { once: true });
  const ports = loop.forTask?.(turn, task) ?? loop;
  for (const entryId of parent.conversation.removals.keys())
    conversation.take('entry_removed', { chatId, entryId }, { words: parent.conversation.textOf(entryId) });
  parent.tasks.add(conversation);
  const end = await runTurn(turn, { ...loop, ...ports, tools: limitTools(ports.tools, task), emitter: { ...emitter, call: ports.emitter.call } });
  parent.tasks.delete(conversation);
  const { reason, durationMs, rounds, tools: calls, usage } = end;
  parent.say('subtask_end', { chatId, turnId, taskId, callId: task.callId, reason, durationMs, rounds, tools: calls, usage });
  parent.usage = addUsage(parent.usage, turn.usage);
  if (turn.isTainted) parent.isTainted = parent.conversation.isTainted = true;
  signal.throwIfAborted();
  conversation.settle();
  const text = lastText(turn);
  return { taskId, reason, rounds, tools: calls, usage, text, isTainted: turn.isTainted, ...(end.error ? { error: end.error } : {}) };
}

function lastText({ conversation }: LiveTurn): string {
  const last = conversation.messages.findLast((message) => message.role === 'assistant' && message.text.trim() !== '');
  return last?.text ?? '';
}

/** Restricts the tools of a task to the named ones, never more than the tools of the parent turn, and without tools that start tasks. */
function limitTools(tools: Tools, { tools: named, without }: TaskStart): Tools {
  const isAllowed = (name: string): boolean => !without.includes(name) && (named === undefined || named.includes(name));
  const refuse = (name: string) => ({
    ok: false as const,
    error: `${name} is not available in this task.`,
    hint: 'Use other tools, or report what you could not do.',
  });
  return {
    ...tools,
    list: (chatId) => tools.list(chatId).filter(({ name }) => isAllowed(name)),
    find: (name) => (isAllowed(name) ? tools.find(name) : undefined),
    visible(chatId) {
      const { specs, hiddenFamilies } = tools.visible(chatId);
      if (named === undefined) return { specs: specs.filter(({ name }) => isAllowed(name)), hiddenFamilies };
      // Named tools are described to the model even if this chat has not requested their family.
      const described = named.filter(isAllowed).flatMap((name) => tools.specOf(name) ?? []);
      return { specs: described.sort((a, b) => (a.name < b.name ? -1 : 1)), hiddenFamilies: [] };
    },
    check(name, argsText) {
      const checked = isAllowed(name) ? tools.check(name, argsText) : refuse(name);
      return checked.ok && !isAllowed(checked.tool.name) ? refuse(checked.tool.name) : checked;
    },
    checkArgs: (name, args) => (isAllowed(name) ? tools.checkArgs(name, args) : refuse(name)),
  };
}

/** Converts the events of the nested turn to task events of the parent turn; clients receive only the latter. */
function narrate(
  emitter: TurnPorts['emitter'],
  say: Say,
  task: { readonly taskId: string; readonly callId: string; readonly goal: string },
): TurnPorts['emitter'] {
  const { taskId, callId, goal } = task;
  const handlers: { readonly [E in keyof Events]?: (event: Events[E]) => void } = {
    turn_start: ({ chatId, turnId, model }) => say('subtask_start', { chatId, turnId, taskId, callId, goal, model }),
    text({ chatId, turnId, messageId, offset, delta, channel }) {
      if (channel === 'user') say('subtask_text', { chatId, turnId, taskId, messageId, offset, delta });
    },
    tool_start({ chatId, turnId, callId: toolCallId, name, args, subject }) {
      const about = subject === undefined ? {} : { subject };
      if (args !== undefined) say('subtask_tool', { chatId, turnId, taskId, toolCallId, name, args, ...about });
    },
    tool_result({ chatId, turnId, callId: toolCallId, name, ok, output, durationMs }) {
      say('subtask_tool', { chatId, turnId, taskId, toolCallId, name, ok, output: output.slice(0, shownOutput), durationMs });
    },
  };
  return {
    ...emitter,
    emit(event, payload) {
      (handlers[event] as ((payload: Events[typeof event]) => void) | undefined)?.(payload);
    },
  };
}
