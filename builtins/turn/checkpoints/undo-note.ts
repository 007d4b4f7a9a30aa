// Tells the model once, in the turn after an undo, which files are not what it left.
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { CheckpointLogs, LogRecord } from './checkpoint-log.ts';

const noteKey = 'checkpoints';
const maxNamed = 30;

export function createUndoNote(logs: CheckpointLogs): (prompt: Prompt, turn: Turn) => Promise<Prompt | undefined> {
  return async (prompt, turn) => {
    if (!turn.isRoot) return undefined;
    // Every round of that turn sees it; the tail of a prompt lasts for one round only.
    if (!turn.notes.has(noteKey)) turn.notes.set(noteKey, await takeNote(logs, turn.chatId));
    const text = turn.notes.get(noteKey);
    return typeof text === 'string' ? { ...prompt, tail: [...prompt.tail, { role: 'system', text }] } : undefined;
  };
}

function takeNote(logs: CheckpointLogs, chatId: string): Promise<string | undefined> {
  return logs.exclusive(chatId, async () => {
    const records = await logs.read(chatId);
    const lastTold = records.findLastIndex((record) => record.kind === 'told');
    const restored = records.slice(lastTold + 1).flatMap((record) => restoredIn(record));
    if (restored.length === 0) return undefined;
    await logs.append(chatId, { kind: 'told', at: new Date().toISOString() });
    const names = [...new Set(restored)];
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    return `The user took back changes of an earlier turn. These files are as they were before it, in whole or in part, so read them again before you rely on them: ${names.slice(0, maxNamed).join(', ')}${more}.`;
  });
}

function restoredIn(record: LogRecord): readonly string[] {
  if (record.kind === 'undo') return record.restored.map((one) => one.shown);
  return record.kind === 'change' && record.takenBack !== undefined ? [record.takenBack] : [];
}
