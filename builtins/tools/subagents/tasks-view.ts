// Builds the view of a chat's tasks: goal, activity and result of each.
import { oneLine } from '#lib/text';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Block, RowState, ViewContribution } from 'agent-harness/plugins/views';
import { callItems, isCallOver, type ToolEntry } from 'agent-harness/transcript';

/** Maximum number of transcript entries to read, newest first, per chat and per task. */
const lookedAt = 500;
const shownTasks = 40;
const shownCalls = 5;

export function tasksView(chats: Pick<Chats, 'transcript'>): ViewContribution {
  return {
    name: 'tasks',
    title: 'Tasks',
    description: 'Lists the tasks of this chat with their activity and results.',
    icon: 'users',
    // The page shows each task on the card of the call that started it.
    place: 'none',
    permission: 'chats.read',
    changesOn: ['subtask_start', 'subtask_tool', 'subtask_end'],
    async read({ chatId }) {
      const { entries } = chatId === undefined ? { entries: [] } : await chats.transcript(chatId, { limit: lookedAt });
      const calls = entries.filter((entry): entry is ToolEntry => entry.kind === 'tool' && entry.task !== undefined).slice(-shownTasks);
      return { blocks: [{ kind: 'list', items: calls.flatMap(itemsOf) }] };
    },
  };
}

function itemsOf(entry: ToolEntry): Extract<Block, { kind: 'list' }>['items'] {
  const { task } = entry;
  if (!task) return [];
  const { goal, calls, text, reason } = task;
  const isOver = reason !== undefined || isCallOver(entry);
  const left = calls.length - shownCalls;
  return [
    { text: oneLine(goal, 300), state: stateOf(reason, isOver), ...(text === '' ? {} : { detail: oneLine(text, 300) }) },
    ...(left > 0 ? [{ text: left === 1 ? '1 earlier call' : `${left} earlier calls`, level: 1 }] : []),
    ...callItems(entry, task, shownCalls).map((item) => ({ ...item, level: 1 })),
  ];
}

function stateOf(reason: string | undefined, isOver: boolean): RowState {
  if (reason === 'done') return 'done';
  if (reason === undefined) return isOver ? 'stopped' : 'active';
  return reason === 'error' ? 'failed' : 'stopped';
}
