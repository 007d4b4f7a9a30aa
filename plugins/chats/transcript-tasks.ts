// What the entry of a call tells of the task that it started. Pure.
import type { JournalEvent, TranscriptEntry } from './contract.ts';
import { joinText } from './join-text.ts';

interface Call {
  readonly callId: string;
  readonly name: string;
  readonly args?: unknown;
  readonly isOk?: boolean;
}

interface Task {
  readonly taskId: string;
  readonly goal: unknown;
  readonly model: unknown;
  text: string;
  messageId?: unknown;
  calls: Call[];
  reason?: unknown;
  rounds?: unknown;
  durationMs?: unknown;
}

type Entry = { -readonly [K in keyof TranscriptEntry]: TranscriptEntry[K] };

/** @param find the entry of a call, by its id */
export function createTaskTakers(find: (callId: string) => Entry | undefined): Readonly<Record<string, (event: JournalEvent) => void>> {
  const tasks = new Map<unknown, Task>();
  return {
    subtask_start({ callId, taskId, goal, model }) {
      const entry = find(String(callId));
      if (entry?.kind !== 'tool') return;
      const task: Task = { taskId: String(taskId), goal, model, text: '', calls: [] };
      tasks.set(taskId, task);
      entry['task'] = task;
    },
    subtask_text({ taskId, messageId, offset, delta }) {
      const task = tasks.get(taskId);
      if (!task) return;
      task.text = joinText(task.messageId === messageId ? task.text : '', Number(offset), String(delta));
      task.messageId = messageId;
    },
    subtask_tool({ taskId, toolCallId, name, args, ok, output, durationMs }) {
      const task = tasks.get(taskId);
      if (!task) return;
      const callId = String(toolCallId);
      const before = task.calls.find((call) => call.callId === callId);
      const call: Call = { ...before, callId, name: String(name), ...(args === undefined ? {} : { args }), ...(typeof ok === 'boolean' ? { isOk: ok } : {}) };
      task.calls = before ? task.calls.map((one) => (one === before ? call : one)) : [...task.calls, call];
      // A call that somebody was asked about has an entry of its own, too.
      const asked = find(callId);
      if (asked && ok !== undefined) Object.assign(asked, { ok, output, durationMs });
    },
    subtask_end({ taskId, reason, rounds, durationMs }) {
      const task = tasks.get(taskId);
      if (task) Object.assign(task, { reason, rounds, durationMs });
    },
  };
}
