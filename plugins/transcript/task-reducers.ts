// Defines the reducers of task events, which update the card of the call that started the task.
import { wait, type Batch, type Reducers } from './batch.ts';
import type { EventKind } from './events.ts';
import { joinText } from './join-text.ts';
import type { Task, TaskCall, ToolEntry } from './state.ts';
import { endCall } from './tool-reducers.ts';

type TaskKind = Extract<EventKind, `subtask_${string}`>;

export const taskReducers: Reducers<TaskKind> = {
  subtask_start(batch, event) {
    const { taskId, goal = '', model, callId } = event;
    const entry = batch.entries.find(callId);
    if (entry?.kind !== 'tool' || entry.task?.taskId === taskId) return;
    batch.entries.edit(entry).task = { taskId, goal, ...(model === undefined ? {} : { model }), text: '', calls: [] };
    wait(batch, event, 'tool');
  },

  subtask_text(batch, event) {
    const { messageId, offset, delta } = event;
    change(batch, event.taskId, event.turnId, (task) => {
      // Only the newest text is displayed; each reply starts a new text.
      const before = task.messageId === messageId ? task.text : '';
      const text = joinText(before, offset, delta);
      return text === task.text ? task : { ...task, text, ...(messageId === undefined ? {} : { messageId }) };
    });
    wait(batch, event, 'tool');
  },

  subtask_tool(batch, event) {
    const { toolCallId, name = '', args, subject, ok, output } = event;
    change(batch, event.taskId, event.turnId, (task) => {
      const known = task.calls.find((call) => call.callId === toolCallId);
      if (known && (ok === undefined || known.isOk !== undefined)) return task;
      const said = { ...(args === undefined ? {} : { args }), ...(subject === undefined ? {} : { subject }), ...(ok === undefined ? {} : { isOk: ok }) };
      const call: TaskCall = { ...known, callId: toolCallId, name, ...said };
      return { ...task, calls: known ? task.calls.map((one) => (one === known ? call : one)) : [...task.calls, call] };
    });
    // A call of a task that needs approval also has its own card.
    const asked = batch.entries.find(toolCallId);
    if (ok !== undefined && asked?.kind === 'tool' && asked.output === undefined) {
      endCall(batch.entries.edit(asked), { ok, output: output ?? '', ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }) });
    }
    wait(batch, event, 'tool');
  },

  subtask_end(batch, event) {
    const { reason = 'done', rounds, durationMs } = event;
    const metrics = { ...(rounds === undefined ? {} : { rounds }), ...(durationMs === undefined ? {} : { durationMs }) };
    change(batch, event.taskId, event.turnId, (task) => ({ ...task, reason, ...metrics }));
  },
};

function change({ entries }: Batch, taskId: string, turnId: string | undefined, work: (task: Task) => Task): void {
  let found: (ToolEntry & { readonly task: Task }) | undefined;
  entries.backwards((entry) => {
    if (entry.kind === 'tool' && entry.task?.taskId === taskId) found = entry as ToolEntry & { readonly task: Task };
    return found === undefined && (entry.turnId === undefined || entry.turnId === turnId);
  });
  if (!found) return;
  const task = work(found.task);
  if (task !== found.task) entries.edit(found).task = task;
}
